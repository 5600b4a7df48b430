#!/usr/bin/env python3
"""Types without pause while the server is killed again and again: ui_deaths.py BUILD [--kills N] ...

A person types at the UI and at `attach NAME`, key after key, into a program that writes down each byte
that it gets. The server is killed at a random moment of that, up to three times in each session (then
its keeper would make pauses longer than a second). For at most 0.8 s after a death the person types
on, then waits until the client says that it is connected again. In the end the program must have got
every key once, in order. Keys wait for a second: a session in which the server took longer, on a busy machine,
and keys are missing is played again. Exit 77: it always took longer. The server counts a key just before
it writes it, so that none is doubled; in that instant a death takes the key along. That is seen once in
hundreds of deaths: one session that misses a single key is played again, a second one is a fault.
"""
import argparse
import fcntl
import json
import os
import pty
import random
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

RECORDER = """
import os, sys, tty
tty.setraw(0)
out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
os.write(1, b"recording\\r\\n")
while True:
    data = os.read(0, 65536)
    os.write(out, data)
    os.write(1, b"%d\\r\\n" % len(data))
"""
AGAIN = b"connected again"
KILLS_A_SESSION = 3
TYPED_AFTER_DEATH = 0.8
# What is back by then found all keys waiting (s).
BACK_SOON = 0.9
LATE_MAX = 10


class Client(threading.Thread):
    """A PTY with the client in it; what it draws is read all the time."""

    def __init__(self, program, words, env):
        super().__init__(daemon=True)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execve(program, [program, *words], env)
        self.drawn = b""
        self.start()

    def run(self):
        try:
            while True:
                select.select([self.fd], [], [], 1)
                self.drawn += os.read(self.fd, 1 << 16)
        except OSError:
            pass

    def type(self, keys):
        os.write(self.fd, keys)


class Session:
    def __init__(self, args, folder):
        self.args = args
        self.program = os.path.join(args.build, "bellhop")
        self.record = os.path.join(folder, "record")
        self.env = {**os.environ, "BELLHOP_RUNTIME_DIR": os.path.join(folder, "r"), "TERM": "xterm-256color",
                    "BELLHOP_STATE_DIR": os.path.join(folder, "s"), "HOME": folder, "XDG_CONFIG_HOME": folder}
        self.typed = b""
        self.number = 0
        self.died, self.is_late = 0.0, False

    def call(self, *words):
        done = subprocess.run([self.program, *words], env=self.env, capture_output=True, text=True, timeout=60,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"bellhop {words}: {done.stderr}")
        return done.stdout

    def wait(self, what, is_true, seconds=60):
        end = time.monotonic() + seconds
        while not is_true():
            if time.monotonic() > end:
                raise RuntimeError(f"never: {what}")
            time.sleep(0.005)

    def got(self):
        with open(self.record, "rb") as file:
            return file.read()

    def server(self):
        return json.loads(self.call("server", "status", "--json"))["pid"]

    def key(self):
        """One of the counter's digits, or what ends it."""
        if not hasattr(self, "rest") or not self.rest:
            self.number += 1
            self.rest = b"%d " % self.number
        key, self.rest = self.rest[:1], self.rest[1:]
        return key

    def type(self, client, seconds, is_over=lambda: False):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not is_over():
            key = self.key()
            client.type(key)
            self.typed += key
            time.sleep(random.uniform(1 / 60, 1 / 30))

    def end_server(self, pid):
        self.died = time.monotonic()
        os.kill(pid, signal.SIGKILL)

    def kill(self, client):
        """Type over one death; at once, or after a while, it is killed again."""
        pid = self.server()
        times = client.drawn.count(AGAIN)
        killer = threading.Timer(random.uniform(0.05, 0.6), self.end_server, (pid,))
        killer.start()
        self.type(client, 30, killer.finished.is_set)
        self.type(client, TYPED_AFTER_DEATH, lambda: client.drawn.count(AGAIN) > times)
        self.wait("connected again", lambda: client.drawn.count(AGAIN) > times)
        self.is_late = self.is_late or time.monotonic() - self.died > BACK_SOON

    def live(self, words, kills):
        """Whether every key came, once and in order; None: some may not have been waited for."""
        self.call("run", "--name", "rec", "--", sys.executable, "-c", RECORDER, self.record)
        self.wait("the recorder", lambda: os.path.exists(self.record))
        client = Client(self.program, words, self.env)
        self.wait("the client", lambda: b"recording" in client.drawn)
        for _ in range(kills):
            self.kill(client)
        self.type(client, 0.2)
        end = time.monotonic() + (5 if self.is_late else 30)
        while self.got() != self.typed and time.monotonic() < end:
            time.sleep(0.01)
        client.type(b"\x02d")
        os.waitpid(client.pid, 0)
        self.call("server", "stop", "--force")
        got, rest = self.got(), iter(self.typed)
        is_part = all(key in rest for key in got)  # in order, none twice
        if got != self.typed and is_part and (self.is_late or self.is_instant(len(self.typed) - len(got))):
            return None
        return self.tell(words)

    def is_instant(self, lost):
        """Whether it may have been the instant of a write."""
        is_first = lost == 1 and not self.args.has_lost_one
        self.args.has_lost_one = self.args.has_lost_one or lost == 1
        return is_first

    def tell(self, words):
        got = self.got()
        if got == self.typed:
            return True
        at = next((i for i, (a, b) in enumerate(zip(got, self.typed)) if a != b), min(len(got), len(self.typed)))
        print(f"{words}: {len(got)} of {len(self.typed)} keys; typed ..{self.typed[max(0, at - 12):at + 30]!r}, "
              f"got ..{got[max(0, at - 12):at + 30]!r}", flush=True)
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    args.has_lost_one = False
    random.seed(args.seed)
    faults = kills = late = 0
    while kills < args.kills:
        folder = tempfile.mkdtemp(prefix="bh.", dir="/tmp")
        for words in (["attach"], ["attach", "rec"]):
            number = min(KILLS_A_SESSION, args.kills - kills)
            if number > 0:
                os.mkdir(os.path.join(folder, words[-1]))
                is_good = Session(args, os.path.join(folder, words[-1])).live(words, number)
                late += is_good is None
                faults += is_good is False
                kills += 0 if is_good is None else number
        shutil.rmtree(folder)
        if late > LATE_MAX and not faults:
            print(f"the server was not back within {BACK_SOON} s")
            sys.exit(77)
    print(f"{kills} deaths, {faults} sessions with lost or doubled keys (seed {args.seed})")
    sys.exit(1 if faults else 0)


main()
