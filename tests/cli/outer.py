#!/usr/bin/env python3
"""Play a person's terminal for the UI, byte by byte.

usage: outer.py BUILD CASE

The session is that of the environment; it has one tab, called by the case. Exit 0: the case holds; else
the last line says what does not.
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import time
import tty

BUILD = sys.argv[1]
PROGRAM = os.path.join(BUILD, "bellhop")
QUESTIONS = b"\x1b[?2026$p\x1b[?u\x1b[>0q\x1b[c"
FLOOD = "i=0; while :; do i=$((i+1)); echo \"line $i of a flood that does not end for a long while yet\"; done"
# A queue of the server beyond this is no bound any more (bytes).
QUEUE_MAX = 1 << 20
# So long the UI waits for answers when it leaves (s).
ANSWER_S = 0.1


def check(is_true, words):
    if not is_true:
        print(words)
        sys.exit(1)


def call(*args):
    done = subprocess.run([PROGRAM, *args], capture_output=True, text=True, timeout=30, check=False)
    check(done.returncode == 0, f"bellhop {args}: {done.stderr}")
    return done.stdout


def open_tab(command):
    call("rpc", "tab.new", json.dumps({"argv": ["/bin/sh", "-c", command], "identity": "case"}))


class Terminal:
    """A PTY with the UI in it; what it writes is kept."""

    def __init__(self, term, *args, cols=80, rows=24):
        env = {**os.environ, "TERM": term}
        for name in ("COLORTERM", "TERM_PROGRAM", "VTE_VERSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION"):
            env.pop(name, None)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
            os.execve(PROGRAM, [PROGRAM, "attach", *args], env)
        self.written = b""
        self.looked = 0.0  # when it was read last

    def read(self, seconds, size=1 << 16):
        """What comes within so many seconds; b"" when nothing does, or it is over."""
        self.looked = time.monotonic()
        if not select.select([self.fd], [], [], max(0, seconds))[0]:
            return b""
        try:
            data = os.read(self.fd, size)
        except OSError:
            return b""
        self.written += data
        return data

    def see(self, pattern, seconds=30, step=0.1):
        """Gives a moment when it was not written yet."""
        end, before = time.monotonic() + seconds, self.looked
        while not re.search(pattern, self.written, re.DOTALL):
            check(time.monotonic() < end, f"never written: {pattern}; but {self.written[-2000:]!r}")
            before = self.looked
            self.read(step)
        return before

    def settle(self, seconds=0.4):
        while self.read(seconds):
            pass

    def write(self, data):
        os.write(self.fd, data)

    def end(self, seconds=30):
        """Read on until the UI has ended; its wait status."""
        end = time.monotonic() + seconds
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                if self.fd >= 0:
                    self.settle(0)
                return status
            check(time.monotonic() < end, "the UI does not end")
            if self.fd >= 0:
                self.read(0.05)
            else:
                time.sleep(0.05)

    def leave(self):
        self.write(b"\x02d")
        status = self.end()
        check(os.WEXITSTATUS(status) == 0, f"the UI ended with {status}")
        os.close(self.fd)


COLOURS = ("printf '\\033[38;2;250;10;20;4:3mrgb\\033[0m \\033[3mital\\033[0m \\033]8;;http://x/\\033\\\\link"
           "\\033]8;;\\033\\\\ \\033[4 q'; exec sleep 60")


def case_linux():
    """The console of the kernel: eight colours, no questions, nothing of xterm's."""
    open_tab(COLOURS)
    terminal = Terminal("linux")
    terminal.see(rb"link")
    terminal.settle()
    terminal.leave()
    check(b"\x1b[0;4;1;31m" in terminal.written or re.search(rb"\x1b\[0;(1;4|4;1|4);3[0-7]mrgb", terminal.written)
          or re.search(rb"\x1b\[0[;0-9]*;31mrgb", terminal.written), "red is not red")
    for what in (b"\x1b]", b"\x1b[>", b"\x1bP", b" q", b"2026", b"38;", b"4:3", b"\x1b[c", b"\x1b[?u", b"1002", b"22;2t"):
        check(what not in terminal.written, f"{what!r} was written to the console")


def case_vt100():
    """No colours at all."""
    open_tab(COLOURS)
    terminal = Terminal("vt100")
    terminal.see(rb"link")
    terminal.settle()
    terminal.leave()
    for sgr in re.findall(rb"\x1b\[([0-9;:]*)m", terminal.written):
        check(set(sgr.split(b";")) <= {b"0", b"1", b"4", b"5", b"7"}, f"SGR {sgr!r} was written to a VT100")


def case_screen():
    """Eight colours, but it may be asked; it does not answer."""
    open_tab(COLOURS)
    terminal = Terminal("screen")
    terminal.see(rb"link")
    terminal.settle()
    check(QUESTIONS in terminal.written, "it was not asked")
    started = time.monotonic()
    terminal.leave()
    check(time.monotonic() - started < 5, "leaving waits for answers that do not come")
    for what in (b"\x1b]8;;h", b"38;", b"4:3", b"\x1b[0;3m", b"2026h"):
        check(what not in terminal.written, f"{what!r} was written to screen")


def case_answers():
    """Answers are believed, and reach no program, in whatever pieces they come."""
    open_tab(COLOURS.replace("exec sleep 60", "stty -echo; exec cat -v"))
    terminal = Terminal("xterm-256color")
    terminal.see(rb"link")
    terminal.settle()
    check(b"38;2;" not in terminal.written, "direct colours before it said that it has them")
    check(b"2026h" not in terminal.written, "synchronized updates before it said that it has them")
    terminal.written = b""
    for piece in (b"a\x1b[?2026;2", b"$y\x1b[?0ub\x1bP>|foot(", b"1.18.0)\x1b\\\x1b[?62;22cc\x1b[?997;1n\r"):
        terminal.write(piece)
        time.sleep(0.005)
    terminal.see(rb"\x1b\[\?2026h.*38;2;250;10;20.*\x1b\[\?2026l")
    terminal.see(rb"abc")
    terminal.settle()
    text = call("screen", "case")
    check("abc" in text and "^" not in text and "foot" not in text, f"the program got an answer: {text!r}")
    check(b"4:3" in terminal.written and b"http://x/" in terminal.written, "it is not used for what it can")
    check(terminal.written.count(b"\x1b[2J") == 0, "the screen was cleared for it")
    terminal.leave()


def late():
    """False: they may have come too late."""
    terminal = Terminal("xterm-256color")
    terminal.see(re.escape(QUESTIONS))
    behind = os.open(os.readlink(f"/proc/{terminal.pid}/fd/0"), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    terminal.settle()
    terminal.write(b"\x02d")
    before = terminal.see(rb"\x1b\[\?1049l", step=0.005)
    terminal.write(b"\x1b[?2026;2$y\x1b[?62;22c")
    took = time.monotonic() - before
    status = terminal.end()
    check(os.WEXITSTATUS(status) == 0, f"the UI ended with {status}")
    # What a shell would read now.
    tty.setraw(behind, termios.TCSANOW)
    try:
        left = os.read(behind, 100)
    except BlockingIOError:
        left = b""
    os.close(behind)
    os.close(terminal.fd)
    check(not left or took > ANSWER_S, f"the next reader of the terminal gets {left!r}")
    return not left


def case_late():
    """Answers that come while the UI leaves go to nobody."""
    open_tab("exec sleep 60")
    for _ in range(50):
        if late():
            return
    check(False, "no answer was in time")


def case_hangup():
    """The terminal goes away: the UI ends, what it showed goes on."""
    open_tab("exec sleep 60")
    terminal = Terminal("xterm-256color")
    terminal.see(rb"sleep|case")
    terminal.settle()
    os.close(terminal.fd)
    terminal.fd = -1
    terminal.end()
    check("case" in call("rpc", "layout.get", "{}"), "the tab is gone")
    end = time.monotonic() + 30
    while clients := json.loads(call("rpc", "layout.get", "{}"))["clients"]:
        check(time.monotonic() < end, f"the server still has {clients}")


def case_signals():
    """SIGTERM and SIGHUP give the terminal back as it was."""
    open_tab("printf '\\033[?1003h\\033[>1u\\033[?1h\\033='; exec sleep 60")
    for number in (signal.SIGTERM, signal.SIGHUP):
        terminal = Terminal("xterm-256color")
        before = termios.tcgetattr(terminal.fd)
        terminal.see(rb"\x1b\[>1u")
        terminal.settle()
        os.kill(terminal.pid, number)
        status = terminal.end()
        check(os.WEXITSTATUS(status) == 128 + number, f"after signal {number}: {status}")
        for what in (b"\x1b[?1049l", b"\x1b[<u", b"\x1b[?1003l", b"\x1b[?1l", b"\x1b[?2004l", b"\x1b[?25h"):
            check(what in terminal.written, f"{what!r} was not taken back after signal {number}")
        after = termios.tcgetattr(terminal.fd)
        check(before[3] & termios.ECHO == after[3] & termios.ECHO, "the terminal's settings were not brought back")
        os.close(terminal.fd)


def memory(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) * 1024


class Stream:
    """A client of the protocol that reads as slowly as it likes."""

    def __init__(self):
        path = os.path.join(os.environ["BELLHOP_RUNTIME_DIR"], os.environ.get("BELLHOP_SESSION", "default"), "server.sock")
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect(path)
        self.socket.settimeout(30)
        request = {"jsonrpc": "2.0", "id": 1, "method": "terminal.attach", "params": {"name": "case", "observe": True}}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        self.bytes = b""

    def read(self, size):
        data = self.socket.recv(size)
        self.bytes += data
        return len(data)

    def frames(self):
        """All whole frames so far: (type, payload)."""
        at, frames = 0, []
        while at < len(self.bytes):
            if self.bytes[at] != 0:
                end = self.bytes.find(b"\n", at)
                if end < 0:
                    break
                at = end + 1
            elif len(self.bytes) < at + 8:
                break
            else:
                kind, length = self.bytes[at + 1], struct.unpack_from("<I", self.bytes, at + 4)[0]
                if len(self.bytes) < at + 8 + length:
                    break
                frames.append((kind, self.bytes[at + 8:at + 8 + length]))
                at += 8 + length
        return frames


def case_slow():
    """A client that takes 1 KB/s of a flood costs the server little, and then shows the present."""
    open_tab(FLOOD)
    server = json.loads(call("server", "status", "--json"))["pid"]
    time.sleep(1)
    before = memory(server)
    stream = Stream()
    end = time.monotonic() + 4
    most = 0
    while time.monotonic() < end:
        stream.read(256)
        time.sleep(0.25)
        most = max(most, memory(server) - before)
    check(most < QUEUE_MAX + (1 << 20), f"the server holds {most} bytes more")
    total, end = 0, time.monotonic() + 60
    snapshots = 0
    while snapshots < 2:
        check(time.monotonic() < end, f"no new snapshot in {total} bytes")
        total += stream.read(1 << 16)
        snapshots = sum(kind == 4 for kind, _ in stream.frames())
    check(total < QUEUE_MAX + (1 << 19), f"{total} bytes of the past were kept for it")
    number = int(re.search(r"line (\d+)", call("screen", "case")).group(1))
    shown = [frame for frame in stream.frames() if frame[0] == 4][-1][1]
    newest = max(int(found) for found in re.findall(rb"line (\d+)", shown))
    # Less than a few seconds of flood behind.
    check(newest > number / 2, f"it shows line {newest}, the present is {number}")


def case_slow_terminal():
    """A terminal that takes 1 KB/s: the UI skips frames, holds few bytes, and then shows the present."""
    open_tab(FLOOD)
    terminal = Terminal("xterm-256color", cols=120, rows=40)
    terminal.see(rb"line \d+")
    before = memory(terminal.pid)
    end = time.monotonic() + 4
    while time.monotonic() < end:
        terminal.read(0, 256)
        time.sleep(0.25)
    check(memory(terminal.pid) - before < 1 << 20, f"the UI holds {memory(terminal.pid) - before} bytes more")
    number = int(re.search(r"line (\d+)", call("screen", "case")).group(1))
    terminal.written = b""
    end = time.monotonic() + 30
    newest = 0
    while newest < number:
        check(time.monotonic() < end, f"it shows line {newest}, the present is {number}")
        terminal.read(0.1)
        newest = max([int(found) for found in re.findall(rb"line (\d+)", terminal.written)] + [0])
    check(len(terminal.written) < 1 << 18, f"{len(terminal.written)} bytes stood before the present")
    terminal.leave()


globals()["case_" + sys.argv[2]]()
