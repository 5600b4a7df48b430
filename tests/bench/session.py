#!/usr/bin/env python3
"""Figures of a whole session beside tmux: session.py, run by `make bench` in the build folder.

CPU per byte of output of a detached terminal, memory per terminal, send to "typed", durable sends,
and the pause of a server restart. Printed, never judged. $BENCH_ONLY names some of the parts.
"""
import json
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid

BUILD = os.environ["BELLHOP_TEST_BUILDDIR"]
TICK = os.sysconf("SC_CLK_TCK")
SIZES = ((80, 24), (200, 50))
MEBIBYTE = 1 << 20


def figure(name, value, unit):
    print(f"{name:<58} {value:>12} {unit}", flush=True)


def cpu_seconds(pid):
    """User and system time of a process, its threads included."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def until(check, limit_s=60, every_s=0.02):
    end = time.monotonic() + limit_s
    while not check():
        if time.monotonic() > end:
            raise TimeoutError("a bench step did not end")
        time.sleep(every_s)


class Connection:
    """One client of the server: requests in order, answers in order."""

    def __init__(self, path):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(path)
        self.file = self.sock.makefile("rb")
        self.number = 0

    def call(self, method, **params):
        self.number += 1
        line = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.sock.sendall(json.dumps(line).encode() + b"\n")
        answer = json.loads(self.file.readline())
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def close(self):
        self.sock.close()


class Session:
    """A session of bellhop with folders of its own."""

    def __init__(self):
        self.top = tempfile.mkdtemp(prefix="bh-bench.", dir="/tmp")
        os.makedirs(f"{self.top}/run", mode=0o700)
        # The store on the disk of the build folder: /tmp may be memory.
        self.state = tempfile.mkdtemp(prefix="bench-state.", dir=BUILD)
        self.env = {"HOME": self.top, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
                    "BELLHOP_RUNTIME_DIR": f"{self.top}/run", "BELLHOP_STATE_DIR": self.state}
        self.bellhop("server", "start")
        self.rpc = self.connect()

    def bellhop(self, *args):
        return subprocess.run([f"{BUILD}/bellhop", *args], env=self.env, check=True,
                              capture_output=True, text=True).stdout

    def connect(self):
        return Connection(f"{self.top}/run/default/server.sock")

    def pids(self):
        info = self.rpc.call("server.info")
        return [info["pid"], info["keeper_pid"]]

    def run(self, name, argv, cols=80, rows=24):
        self.rpc.call("terminal.run", argv=argv, identity=name, cwd=self.top, env={}, cols=cols,
                      rows=rows, respawn="never", headless=True)

    def screen(self, name):
        return self.rpc.call("terminal.screen", name=name, format="text")["text"]

    def close(self):
        subprocess.run([f"{BUILD}/bellhop", "server", "stop", "--force"], env=self.env,
                       capture_output=True, check=False)
        shutil.rmtree(self.top, ignore_errors=True)
        shutil.rmtree(self.state, ignore_errors=True)


class Tmux:
    """A tmux server with a socket of its own and no configuration."""

    def __init__(self):
        self.top = tempfile.mkdtemp(prefix="bh-bench.", dir="/tmp")
        self.name = ["tmux", "-S", f"{self.top}/socket", "-f", "/dev/null"]
        self.tmux("new-session", "-d", "-s", "keep", "sleep 3600")
        self.tmux("set-option", "-g", "history-limit", "10000")

    def tmux(self, *args):
        return subprocess.run([*self.name, *args], check=True, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": self.top}).stdout

    def pids(self):
        return [int(self.tmux("display-message", "-p", "#{pid}"))]

    def run(self, name, command, cols=80, rows=24):
        self.tmux("new-session", "-d", "-s", name, "-x", str(cols), "-y", str(rows), command)

    def screen(self, name):
        return self.tmux("capture-pane", "-p", "-t", name)

    def close(self):
        subprocess.run([*self.name, "kill-server"], capture_output=True, check=False)
        shutil.rmtree(self.top, ignore_errors=True)


# --- CPU per byte ---

def ascii_data(_cols, _rows, size):
    line = "The quick brown fox jumps over the lazy dog, again and again, until it is done. "
    return ("\r\n".join(line[i % 9:][:78] for i in range(size // 80)) + "\r\n").encode()


def sgr_data(_cols, _rows, size):
    rng = random.Random(1)
    out = []
    while sum(map(len, out[-1:])) + len(out) * 90 < size:
        words = (f"\x1b[{rng.choice((1, 2, 3, 4))};38;5;{rng.randrange(256)}mword{rng.randrange(99)}\x1b[0m"
                 for _ in range(4))
        out.append(" ".join(words) + "\r\n")
    return "".join(out).encode()


def unicode_data(_cols, _rows, size):
    lines = ("日本語の文章がここにあります。", "Ünïcödé wörds äre hére", "한국어 문장입니다", "emoji 🚀 ✅ 👩‍💻 here",
             "naïve café e\u0301")
    text = "".join(f"{lines[i % len(lines)]} {i}\r\n" for i in range(size // 36))
    return text.encode()


def redraw_data(cols, rows, size):
    """What an agent does: repaint some rows in place inside a synchronized update."""
    rng = random.Random(2)
    out, total = [], 0
    while total < size:
        frame = ["\x1b[?2026h\x1b[?25l"]
        for _ in range(6):
            row = rng.randrange(rows) + 1
            frame.append(f"\x1b[{row};1H\x1b[K\x1b[38;2;120;{row};80m● \x1b[39m" + "text of a row " * (cols // 28))
        frame.append(f"\x1b[{rows - 2};3H\x1b[?25h\x1b[?2026l")
        out.append("".join(frame).encode())
        total += len(out[-1])
    return b"".join(out)


STREAMS = (("ASCII", ascii_data), ("SGR-heavy", sgr_data), ("unicode", unicode_data),
           ("agent redraws", redraw_data))


def nanoseconds_per_byte(host, name, path, cols, rows):
    """CPU of the host's processes for the file's bytes; the end is seen on the screen."""
    size = os.path.getsize(path)
    before = sum(map(cpu_seconds, host.pids()))
    command = f"cat {path}; printf '\\033[2J\\033[Hall of it is out'; exec sleep 600"
    host.run(name, ["sh", "-c", command] if isinstance(host, Session) else command, cols, rows)
    until(lambda: "all of it is out" in host.screen(name), 120, 0.2)
    return (sum(map(cpu_seconds, host.pids())) - before) * 1e9 / size


def bench_cpu():
    session, tmux = Session(), Tmux()
    try:
        for cols, rows in SIZES:
            for kind, make in STREAMS:
                path = f"{session.top}/{kind.replace(' ', '-')}.{cols}"
                with open(path, "wb") as file:
                    file.write(make(cols, rows, 16 * MEBIBYTE))
                label = kind.replace(" ", "-") + f"-{cols}"
                ours = nanoseconds_per_byte(session, label, path, cols, rows)
                theirs = nanoseconds_per_byte(tmux, label, path, cols, rows)
                figure(f"server CPU, {kind} at {cols}x{rows}: bellhop", f"{ours:.1f}", "ns/byte")
                figure(f"server CPU, {kind} at {cols}x{rows}: tmux", f"{theirs:.1f}", "ns/byte")
                figure(f"server CPU, {kind} at {cols}x{rows}: share", f"{ours / theirs:.2f}", "of tmux")
                os.unlink(path)
    finally:
        session.close()
        tmux.close()


# --- memory ---

def resident_kib(pids):
    """PSS of the processes, plus shared memory that they hold and do not map."""
    total, mapped, held = 0, 0, {}
    for pid in pids:
        for line in open(f"/proc/{pid}/smaps_rollup"):
            if line.startswith("Pss:"):
                total += int(line.split()[1])
            elif line.startswith("Pss_Shmem:"):
                mapped += int(line.split()[1])
        for fd in os.listdir(f"/proc/{pid}/fd"):
            try:
                if os.readlink(f"/proc/{pid}/fd/{fd}").startswith("/memfd:"):
                    stat = os.stat(f"/proc/{pid}/fd/{fd}")
                    held[stat.st_ino] = stat.st_blocks // 2
            except OSError:
                pass
    return total + max(0, sum(held.values()) - mapped)


def bench_memory():
    count = 20
    command = "seq -f 'line %06.0f of ten thousand, filled with words up to the right margin of it' 10000; echo end; exec sleep 600"
    session, tmux = Session(), Tmux()
    try:
        for host in (session, tmux):
            before = resident_kib(host.pids())
            for i in range(count):
                name = f"filled{i}"
                host.run(name, ["sh", "-c", command] if isinstance(host, Session) else command)
            for i in range(count):
                until(lambda name=f"filled{i}": "end" in host.screen(name))
            each = (resident_kib(host.pids()) - before) / count / 1024
            label = "bellhop" if isinstance(host, Session) else "tmux"
            figure(f"memory per terminal with 10,000 filled lines: {label}", f"{each:.2f}", "MiB")
    finally:
        session.close()
        tmux.close()


# --- mail ---

def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def send_params(to, body):
    return {"to": to, "body": body, "message_id": str(uuid.uuid4())}


def bench_typed():
    """Four agents: one may be woken 30 times a minute by the same sender."""
    session = Session()
    try:
        times = []
        for name in ("a", "b", "c", "d"):
            session.run(name, [f"{BUILD}/bellhop-demo-agent"])
            for i in range(25):
                session.rpc.call("terminal.wait_state", name=name, state="idle", timeout_ms=20000)
                began = time.monotonic()
                answer = session.rpc.call("message.send", **send_params(name, f"number {i}"))
                if answer.get("terminal") == "typed":
                    times.append((time.monotonic() - began) * 1000)
        figure("send to typed, idle demo agent: typed of 100", len(times), "")
        if times:
            figure("send to typed, idle demo agent: p50", f"{statistics.median(times):.0f}", "ms")
            figure("send to typed, idle demo agent: p99", f"{percentile(times, 0.99):.0f}", "ms")
    finally:
        session.close()


def sender(session, name, count):
    connection = session.connect()
    for _ in range(count):
        connection.call("message.send", **send_params(name, "x" * 200), no_wait=True)
    connection.close()


def fdatasyncs_per_second(folder):
    path = f"{folder}/fdatasync"
    fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    began, count = time.monotonic(), 300
    for _ in range(count):
        os.write(fd, b"x" * 4096)
        os.fdatasync(fd)
    elapsed = time.monotonic() - began
    os.close(fd)
    os.unlink(path)
    return count / elapsed


def bench_sends():
    session = Session()
    try:
        figure("the disk: fdatasync of 4 KiB", f"{fdatasyncs_per_second(session.state):.0f}", "/s")
        began = time.monotonic()
        sender(session, "nobody", 300)
        figure("durable sends, one by one", f"{300 / (time.monotonic() - began):.0f}", "/s")
        threads = [threading.Thread(target=sender, args=(session, f"nobody{i}", 100)) for i in range(32)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        figure("durable sends, 32 senders", f"{3200 / (time.monotonic() - began):.0f}", "/s")
    finally:
        session.close()


# --- restart ---

def bench_restart():
    """How long no output of 100 terminals is shown when the server dies or is upgraded: from then
    to the first tick of each that is later."""
    count = 100
    for label, method in (("kill -9", None), ("upgrade", "server.upgrade")):
        session = Session()
        try:
            for i in range(count):
                session.run(f"t{i}", [f"{BUILD}/tests/bench/ticker"])
            until(lambda: all(shown_tick(session, i) for i in range(count)))
            pid = session.pids()[0]
            began = time.monotonic()
            if method is None:
                os.kill(pid, signal.SIGKILL)
            else:
                session.rpc.call(method)
            until(lambda: restarted(session, pid), 30, 0.002)
            figure(f"restart with {count} terminals ({label}): server answers",
                   f"{(time.monotonic() - began) * 1000:.0f}", "ms")
            pauses = sorted(output_pauses(session, count, began))
            for what, at in (("p50", count // 2), ("longest", count - 1)):
                figure(f"restart with {count} terminals ({label}): pause of output, {what}",
                       f"{pauses[at]:.0f}", "ms")
        finally:
            session.close()


def shown_tick(session, i):
    """The time that a ticker shows (ms of the monotonic clock), 0 for none."""
    shown = session.screen(f"t{i}").strip()
    return int(shown) if shown.isdigit() else 0


def output_pauses(session, count, began):
    """For each terminal the ms from @began until it showed a tick that is later."""
    waiting = set(range(count))
    pauses = []
    while waiting and time.monotonic() - began < 60:
        for i in sorted(waiting):
            if shown_tick(session, i) > began * 1000:
                pauses.append((time.monotonic() - began) * 1000)
                waiting.discard(i)
    return pauses + [float("inf")] * len(waiting)


def restarted(session, old_pid):
    try:
        session.rpc = session.connect()
        return session.pids()[0] != old_pid
    except (OSError, ValueError, RuntimeError):
        return False


PARTS = {"cpu": bench_cpu, "memory": bench_memory, "typed": bench_typed, "sends": bench_sends,
         "restart": bench_restart}


def main():
    wanted = os.environ.get("BENCH_ONLY", " ".join(PARTS)).split()
    status = 0
    for name in wanted:
        if name in ("cpu", "memory") and shutil.which("tmux") is None:
            print(f"# {name}: skipped, tmux is not installed")
            continue
        try:
            PARTS[name]()
        except Exception as error:  # one part that fails must not hide the others
            print(f"# {name}: failed: {error}")
            status = 1
    return status


sys.exit(main())
