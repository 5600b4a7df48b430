#!/usr/bin/env python3
"""Drive vttest through a terminal of bellhop: record-vttest.py BELLHOP MENU NAME >vttest-NAME.test

The choice MENU of vttest's main menu is gone through page by page, with Return. Written is a script
for run-screens: the bytes of each page as they came, and the screen that bellhop showed then. Look
at every screen before you keep it; vttest says on most of them what there should be. What the words
cannot tell, looks of cells above all, is added by hand.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

COLS, ROWS = 80, 24
LINE_BYTES = 100  # of output in one line of the script
PAGES_MAX = 60


class Terminal:
    """vttest in a session of its own."""

    def __init__(self, bellhop, folder):
        self.bellhop = bellhop
        self.env = dict(os.environ, BELLHOP_SESSION="vttest")
        for name in ("RUNTIME", "STATE"):
            self.env["BELLHOP_%s_DIR" % name] = os.path.join(folder, name)
            os.mkdir(os.path.join(folder, name), 0o700)
        for name in ("TERMINAL", "TOKEN", "SOCKET"):
            self.env.pop("BELLHOP_" + name, None)

    def run(self, *words):
        return subprocess.run([self.bellhop, *words], env=self.env, check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def start(self):
        self.run("run", "-n", "vt", "--size", "%dx%d" % (COLS, ROWS), "--",
                 "vttest", "%dx%d.%d" % (ROWS, COLS, COLS))

    def press(self, *keys):
        self.run("keys", "vt", *keys)

    def output(self):
        """All that vttest wrote since it was started."""
        events = [json.loads(line) for line in self.run("capture", "vt").splitlines()[1:]]
        return "".join(data for _, kind, data in events if kind == "o")

    def settled(self):
        """The output when nothing has come for a while; vttest sleeps up to a second."""
        before = None
        while True:
            output = self.output()
            if output == before:
                return output
            before = output
            time.sleep(1.3)

    def screen(self):
        lines = self.run("screen", "vt").split("\n")
        return [line.rstrip() for line in lines]


def quoted(text):
    """A word of the script language."""
    out = []
    for char in text:
        if char in "\"\\":
            out.append("\\" + char)
        elif char in "\x1b\r\n\t\a\b\0":
            out.append("\\" + "erntab0"["\x1b\r\n\t\a\b\0".index(char)])
        elif ord(char) < 0x20 or ord(char) == 0x7F:
            out.append("\\x%02X" % ord(char))
        else:
            out.append(char)
    return "\"" + "".join(out) + "\""


def write_page(number, output, screen):
    print("# page %d" % number)
    for at in range(0, len(output), LINE_BYTES):
        print("feed " + quoted(output[at:at + LINE_BYTES]))
    while screen and screen[-1] == "":
        screen.pop()
    print("screen " + quoted("".join(line + "\n" for line in screen)))


def main():
    bellhop, menu, name = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal(os.path.abspath(bellhop), folder)
        terminal.start()
        try:
            terminal.settled()
            print("# vttest, choice %s: %s. Written by record-vttest.py, looked at, kept." % (menu, name))
            print("case vttest: %s\nsize %dx%d" % (name, COLS, ROWS))
            terminal.press(*menu, "Enter")
            done = 0  # what it does at its start counts: it allows DECCOLM
            for number in range(1, PAGES_MAX):
                output = terminal.settled()
                screen = terminal.screen()
                if any("Enter choice number (0 - 12)" in line for line in screen):
                    break
                write_page(number, output[done:], screen)
                done = len(output)
                terminal.press("Enter")
        finally:
            terminal.run("server", "stop", "--force")
    return 0


if __name__ == "__main__":
    sys.exit(main())
