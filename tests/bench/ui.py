#!/usr/bin/env python3
"""The multiplexer as a person has it, beside tmux: ui.py, run by `make bench` in the build folder.

A client in a PTY of 120x40: how long the echo of a key takes, how much output comes through and what
it costs, what panes with history hold, what is woken when nothing happens, how long starting takes.
$BENCH_ROUNDS rounds (5), both in turn in each; medians. Printed, never judged. $BENCH_ONLY names parts.
"""
import fcntl
import os
import pty
import random
import select
import shlex
import signal
import statistics
import struct
import sys
import termios
import time

from hosts import BUILD, MEBIBYTE, STREAMS, Session, Tmux, cpu_seconds, figure, percentile, resident_kib, run_parts

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
COLS, ROWS = 120, 40
KEYS_A_ROUND = 150
# Keys that stand in no sequence and in no text of the two clients.
KEYS = (b"#", b"&", b"~", b"^")
ECHO = "stty raw -echo; exec cat"
FLOOD = "exec yes"
# No cell of it is shown before, so that a client writes it in one piece.
END = b"#&~^^~&#"
SPIN = f"exec {BUILD}/tests/bench/spinner"
FILL = "seq -f 'line %06.0f of ten thousand, filled with words up to the right margin' 10000; exec sleep 600"


class View:
    """A client in a PTY of its own."""

    def __init__(self, argv, env):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
            os.execvpe(argv[0], argv, env)
        self.poll = select.poll()
        self.poll.register(self.fd, select.POLLIN)

    def read(self, limit_s):
        """What comes within @limit_s, b"" when nothing does."""
        if not self.poll.poll(max(0, limit_s) * 1000):
            return b""
        return os.read(self.fd, 1 << 16)

    def drain(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(end - time.monotonic())

    def see(self, text, limit_s=60):
        """Read until @text was written in one piece; no blanks in it, a client may jump over them."""
        end = time.monotonic() + limit_s
        kept = b""
        while text not in kept:
            if time.monotonic() > end:
                raise TimeoutError(f"{text} was not shown")
            kept = kept[-len(text):] + self.read(end - time.monotonic())

    def write(self, data):
        os.write(self.fd, data)

    def close(self):
        os.close(self.fd)
        try:
            os.kill(self.pid, signal.SIGHUP)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)


class OurUi:
    """bellhop with one client."""
    name = "bellhop"

    def __init__(self):
        self.host = Session()
        self.env = {**self.host.env, "TERM": "xterm-256color", "COLORTERM": "truecolor", "SHELL": "/bin/sh"}
        self.panes = []
        self.view = None

    def tab(self, command, focus=False):
        answer = self.host.rpc.call("tab.new", argv=["/bin/sh", "-c", command], env={}, focus=focus)
        self.panes.append(answer["terminal"]["terminal_id"])

    def split(self, command):
        self.host.rpc.call("pane.split", argv=["/bin/sh", "-c", command], env={}, focus=False,
                           direction="right")

    def screen(self, index):
        return self.host.screen(self.panes[index])

    def client(self):
        return View([f"{BUILD}/bellhop", "attach"], self.env)

    def attach(self):
        self.view = self.client()
        self.view.drain(0.3)
        self.view.write(b"\x02b")  # no sidebar: tmux has none
        self.view.drain(0.1)

    def pids(self):
        return self.host.pids() + ([self.view.pid] if self.view else [])

    def close(self):
        if self.view:
            self.view.close()
        self.host.close()


class TmuxUi(OurUi):
    """tmux with one client."""
    name = "tmux"

    def __init__(self):  # pylint: disable=super-init-not-called
        self.host = Tmux()
        self.env = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": self.host.top,
                    "TERM": "xterm-256color", "COLORTERM": "truecolor", "SHELL": "/bin/sh"}
        self.panes = []
        self.view = None

    def tab(self, command, focus=False):
        target = self.host.tmux("new-window", *([] if focus else ["-d"]), "-t", "keep:", "-P", "-F",
                                "#{pane_id}", command)
        self.panes.append(target.strip())

    def split(self, command):
        self.host.tmux("split-window", "-h", "-d", "-t", "keep:", command)

    def attach(self):
        self.view = self.client()

    def client(self):
        return View([*self.host.name, "attach-session", "-t", "keep"], self.env)


HOSTS = (OurUi, TmuxUi)


def compare(label, unit, digits, ours, theirs):
    """Print both medians and their ratio."""
    mine, other = statistics.median(ours), statistics.median(theirs)
    figure(f"{label}: bellhop", f"{mine:.{digits}f}", unit)
    figure(f"{label}: tmux", f"{other:.{digits}f}", unit)
    figure(f"{label}: ratio", f"{mine / other:.2f}" if other else "-", "of tmux")


# --- the echo of a key ---

def setup_quiet(_ui):
    pass


def setup_hidden(ui):
    ui.tab(FLOOD)


def setup_visible(ui):
    ui.split(FLOOD)


def setup_spinning(ui):
    for i in range(50):
        ui.tab(SPIN + (" 100" if i % 2 else " 33"))


SITUATIONS = (("quiet", setup_quiet), ("flooding hidden pane", setup_hidden),
              ("flooding visible pane", setup_visible), ("50 agents spinning", setup_spinning))


def echo_times(view, rng):
    """Microseconds from a key to its echo, for each key."""
    times = []
    for i in range(KEYS_A_ROUND):
        key = KEYS[i % len(KEYS)]
        view.drain(rng.uniform(0.02, 0.04))
        began = time.perf_counter_ns()
        view.write(key)
        while key not in view.read(3):
            if time.perf_counter_ns() - began > 3e9:
                raise TimeoutError("a key was not echoed")
        times.append((time.perf_counter_ns() - began) / 1000)
    return times


def latency_round(make, setup, rng):
    ui = make()
    try:
        ui.tab(ECHO, focus=True)
        setup(ui)
        ui.attach()
        ui.view.drain(1.0)
        before, began = sum(map(cpu_seconds, ui.pids())), time.monotonic()
        times = echo_times(ui.view, rng)
        used = (sum(map(cpu_seconds, ui.pids())) - before) / (time.monotonic() - began)
        return times, used * 100
    finally:
        ui.close()


def bench_bare(rng):
    """The floor: what the kernel, the program and this one need with nothing in between."""
    times = []
    for _ in range(ROUNDS):
        view = View(["/bin/sh", "-c", ECHO], {"PATH": "/usr/bin:/bin"})
        try:
            view.drain(0.5)
            times.append(echo_times(view, rng))
        finally:
            view.close()
    for word, share in (("p50", 0.5), ("p99", 0.99)):
        figure(f"key echo, no multiplexer at all, {word}",
               f"{statistics.median(percentile(got, share) for got in times):.0f}", "us")


def bench_latency():
    rng = random.Random(3)
    bench_bare(rng)
    for label, setup in SITUATIONS:
        times, used = {}, {}
        for _ in range(ROUNDS):
            for make in HOSTS:
                got, cpu = latency_round(make, setup, rng)
                times.setdefault(make.name, []).append(got)
                used.setdefault(make.name, []).append(cpu)
        for word, share in (("p50", 0.5), ("p99", 0.99)):
            values = [[percentile(got, share) for got in times[make.name]] for make in HOSTS]
            compare(f"key echo, {label}, {word}", "us", 0, *values)
        compare(f"key echo, {label}, CPU", "%", 1, used["bellhop"], used["tmux"])


# --- output that is looked at ---

def throughput_round(make, path):
    """(MiB/s until the end was shown, CPU ns per byte) of one file printed in the pane in focus."""
    ui = make()
    size = os.path.getsize(path)
    command = (f"stty -echo; read -r go; cat {shlex.quote(path)}; "
               f"printf '\\033[2J\\033[H{END.decode()}'; exec sleep 600")
    try:
        ui.tab(command, focus=True)
        ui.attach()
        ui.view.drain(0.5)
        before, began = sum(map(cpu_seconds, ui.pids())), time.monotonic()
        ui.view.write(b"\r")
        ui.view.see(END)
        elapsed = time.monotonic() - began
        return size / MEBIBYTE / elapsed, (sum(map(cpu_seconds, ui.pids())) - before) * 1e9 / size
    finally:
        ui.close()


def bench_throughput():
    for kind, make_data in STREAMS:
        path = f"{BUILD}/bench-stream"
        with open(path, "wb") as file:
            file.write(make_data(COLS, ROWS, 16 * MEBIBYTE))
        got = {make.name: [] for make in HOSTS}
        for _ in range(ROUNDS):
            for make in HOSTS:
                got[make.name].append(throughput_round(make, path))
        os.unlink(path)
        for at, what, unit, digits in ((0, "throughput", "MiB/s", 1), (1, "CPU", "ns/byte", 1)):
            compare(f"attached, {kind}, {what}", unit, digits,
                    *([each[at] for each in got[make.name]] for make in HOSTS))


# --- memory ---

def memory_round(make, count):
    ui = make()
    try:
        for _ in range(count):
            ui.tab(FILL)
        for i in range(count):
            end = time.monotonic() + 120
            while "line 010000" not in ui.screen(i):
                if time.monotonic() > end:
                    raise TimeoutError("a pane was not filled")
                time.sleep(0.05)
        ui.attach()
        ui.view.drain(1.0)
        return resident_kib(ui.pids()) / 1024
    finally:
        ui.close()


def bench_panes():
    for count in (1, 50, 200):
        values = [[memory_round(make, count) for _ in range(1 if count > 1 else ROUNDS)] for make in HOSTS]
        compare(f"memory with {count} filled panes", "MiB", 1, *values)


# --- nothing happens ---

def switches(pid):
    """How often a process was given a processor, its threads included."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        for line in open(f"/proc/{pid}/task/{task}/status"):
            if line.startswith(("voluntary_ctxt", "nonvoluntary_ctxt")):
                total += int(line.split()[1])
    return total


def bench_idle():
    for make in HOSTS:
        ui = make()
        try:
            for _ in range(4):
                ui.tab("echo quiet; exec sleep 600", focus=True)
            ui.split("exec sleep 600")
            ui.view = ui.client()  # with the sidebar
            ui.view.drain(20)  # a server that was just started settles
            pids = ui.pids()
            before = [switches(pid) for pid in pids]
            ui.view.drain(10)
            woken = [switches(pid) - was for pid, was in zip(pids, before)]
            figure(f"wake-ups in 10 s of nothing: {make.name}", sum(woken),
                   "(" + ", ".join(map(str, woken)) + ")")
        finally:
            ui.close()


# --- start ---

def attach_round(make):
    """Milliseconds until a client of a session of 20 panes shows the one in focus."""
    ui = make()
    try:
        for _ in range(19):
            ui.tab("exec sleep 600")
        ui.tab("echo ready-to-be-seen; exec sleep 600", focus=True)
        while "ready-to-be-seen" not in ui.screen(19):
            time.sleep(0.02)
        time.sleep(0.5)
        began = time.monotonic()
        ui.view = ui.client()
        ui.view.see(b"ready-to-be-seen")
        return (time.monotonic() - began) * 1000
    finally:
        ui.close()


def start_round(make):
    """Milliseconds from nothing to what a shell prints."""
    ui = make()
    ui.close()  # only the names of its folders are wanted
    os.makedirs(f"{ui.host.top}/run", mode=0o700)
    shell = f"{ui.host.top}/shell"
    with open(shell, "w") as file:
        file.write("#!/bin/sh\necho here-it-is\nexec sleep 600\n")
    os.chmod(shell, 0o700)
    argv = [f"{BUILD}/bellhop"] if make is OurUi else [*ui.host.name, "new-session"]
    began = time.monotonic()
    ui.view = View(argv, {**ui.env, "SHELL": shell})
    try:
        ui.view.see(b"here-it-is")
        return (time.monotonic() - began) * 1000
    finally:
        ui.close()


def bench_start():
    for label, measure in (("attach to 20 panes", attach_round), ("start", start_round)):
        got = {make.name: [] for make in HOSTS}
        for _ in range(ROUNDS):
            for make in HOSTS:
                got[make.name].append(measure(make))
        compare(label, "ms", 0, got["bellhop"], got["tmux"])


PARTS = {"latency": bench_latency, "throughput": bench_throughput, "panes": bench_panes, "idle": bench_idle,
         "start": bench_start}

sys.exit(run_parts(PARTS, tuple(PARTS)))
