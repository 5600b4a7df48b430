#!/usr/bin/env python3
"""A person who presses anything: ui_random.py SEED STEPS, by ui_random.bats.

Drives the UI in a tmux by random keys, pastes, mouse reports and sizes. Every now and then the
person stops, leaves whatever was opened, and must then see of every visible pane what the server
has. The seed and the last steps are printed when not.
"""
import json
import os
import random
import subprocess
import sys
import time
import unicodedata

BUILD = os.environ["BELLHOP_TEST_BUILDDIR"]
SOCKET = os.path.join(os.environ["BELLHOP_RUNTIME_DIR"], "tmux-random")
PREFIX = "\x02"
ARROWS = ["\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"]
AFTER_PREFIX = list('cnp%"o;z{}! b[]wme?N:,rLa0123xy&=') + ["\x0f", "\x1b[5~", "\x1b[1;5C", "\x1b[1;5A", "\x02"] + ARROWS
KEYS = ["\r", "\x1b", "q", "\t", "\x7f", " ", "/", "n", "N", "v", "V", "y", "g", "G", "\x06", "\x15",
        "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[13;2u", "\x1bx", "j", "k", "w"] + ARROWS
TEXTS = ["echo hello", "seq 1 60", "clear", "printf '\\033[7mreverse\\033[m\\n'", "ls /", "rename-tab foo",
         "split-right", "zoom", "stty size", "printf '\\033[?1049h'", "printf '\\033[?1049l'",
         "printf '\\033[?1000h\\033[?1006h'", "printf '\\033[?1000l'"]
SIZES = [(80, 24), (120, 40), (60, 20), (200, 50), (30, 10), (12, 5), (100, 30)]


def run(*argv):
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def tmux(*args):
    return run("tmux", "-S", SOCKET, "-f", "/dev/null", *args)


def rpc(method, params=None):
    return json.loads(run(f"{BUILD}/bellhop", "rpc", method, json.dumps(params or {})))


def cells(row):
    """The cells of a row; a wide one is followed by one without anything."""
    out = []
    for char in row:
        if unicodedata.combining(char) and out:
            out[-1] += char
        else:
            out += [char, ""] if unicodedata.east_asian_width(char) in "WF" else [char]
    return out


class Person:
    """Who presses what; ui_soak.py has another one."""
    after_prefix, keys, texts = AFTER_PREFIX, KEYS, TEXTS
    pauses = [0, 0, 0.01, 0.05]
    # How often the person detaches.
    detaches = 0

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.steps = []
        self.difference = ""
        self.size = (100, 30)

    def open(self):
        tmux("new-session", "-d", "-x", "100", "-y", "30", f"'{BUILD}/bellhop'; echo \"rc=$?\"; exec sh")
        tmux("set-option", "-g", "status", "off")
        tmux("set-option", "-g", "window-size", "manual")
        self.resize((100, 30))
        self.until(lambda: "C-b ? help" in self.shown(), "the UI")

    @staticmethod
    def within(seconds, check):
        end = time.monotonic() + seconds
        while not check():
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def until(self, check, what):
        if not self.within(30, check):
            self.fail(f"never seen: {what}")

    def fail(self, why):
        print(why, "\nlast steps:", *self.steps[-40:], "\nseen:", self.shown(), self.difference, sep="\n")
        sys.exit(1)

    def shown(self):
        return tmux("capture-pane", "-p", "-N")

    def type(self, text):
        self.steps.append(repr(text))
        tmux("send-keys", "-l", text)

    def resize(self, size):
        self.steps.append(f"size {size}")
        self.size = size
        tmux("resize-window", "-x", str(size[0]), "-y", str(size[1]))

    def mouse(self):
        row = self.random.randint(1, self.size[1])
        col = self.random.randint(1, self.size[0])
        button = self.random.choice([0, 0, 0, 0, 1, 2, 64, 64, 65, 16])
        self.type(f"\x1b[<{button};{col};{row}M")
        if button >= 64:
            return
        if self.random.random() < 0.5:
            row = self.random.randint(1, self.size[1])
            col = self.random.randint(1, self.size[0])
            self.type(f"\x1b[<{button + 32};{col};{row}M")
        if self.random.random() < 0.95:
            self.type(f"\x1b[<{button};{col};{row}m")

    def step(self):
        kind = self.random.random()
        if kind < 0.4:
            self.type(PREFIX + self.random.choice(self.after_prefix))
        elif kind < 0.6:
            self.type(self.random.choice(self.keys))
        elif kind < 0.75:
            self.type(self.random.choice(self.texts) + self.random.choice(["\r", "\r", ""]))
        elif kind < 0.8:
            self.type("\x1b[200~pasted\ntext\x1b[201~")
        elif kind < 0.93:
            self.mouse()
        elif kind < 1 - self.detaches:
            self.resize(self.random.choice(SIZES))
        else:
            self.type(PREFIX + "d")
        time.sleep(self.random.choice(self.pauses))

    def has_left(self):
        return "rc=" in self.shown()

    def leave(self):
        """Leave all views and questions."""
        # Escape leaves views and questions; q copy mode, which every pane may be in.
        self.type("\x1b")
        time.sleep(0.15)
        for _ in range(self.visible_count() + 1):
            for key in "\x1b", "q", "\x15", PREFIX + "o":
                self.type(key)
                time.sleep(0.15 if key == "\x1b" else 0.02)
        if self.has_left():
            self.steps.append("back")
            tmux("kill-server")
            time.sleep(0.2)
            self.open()
            self.resize((120, 40))

    def settle(self):
        """Leave all views and questions, with a terminal that is large enough to compare."""
        self.resize((120, 40))
        time.sleep(0.3)
        # What was pressed before may be carried out late, on a slow machine, and lead elsewhere.
        for _ in range(6):
            self.leave()
            if self.within(10, self.is_same):
                return
        self.fail("never seen: every pane as the server has it")

    @staticmethod
    def visible_panes(layout):
        return [p for t in layout["tabs"] if t["is_active"] for p in t["panes"] if p["is_visible"]]

    def visible_count(self):
        return 0 if self.has_left() else len(self.visible_panes(rpc("layout.get")))

    def is_same(self):
        layout = rpc("layout.get")
        rows = self.shown().split("\n")
        left = 120 - layout["area"]["cols"]
        if layout["area"]["rows"] != 38 or self.has_left():
            return False
        panes = self.visible_panes(layout)
        for pane in panes:
            text = rpc("terminal.screen", {"name": pane["terminal_id"], "format": "text"})["text"].split("\n")
            for i in range(pane["rows"]):
                wanted = text[i].rstrip() if i < len(text) else ""
                row = cells(rows[1 + pane["row"] + i])
                first = left + pane["col"]
                if "".join(row[first:first + pane["cols"]]).rstrip() != wanted:
                    self.difference = f"{pane['identity']} row {i}: wanted {wanted!r}"
                    return False
        return bool(panes)


def main():
    seed, steps = int(sys.argv[1]), int(sys.argv[2])
    person = Person(seed)
    person.open()
    try:
        for i in range(1, steps + 1):
            person.step()
            if i % 25 == 0:
                person.settle()
    except subprocess.CalledProcessError as e:
        print(f"seed {seed}: {e.cmd}: {e.stderr}", *person.steps[-40:], sep="\n")
        sys.exit(1)
    finally:
        subprocess.run(["tmux", "-S", SOCKET, "kill-server"], check=False, capture_output=True)


if __name__ == "__main__":
    main()
