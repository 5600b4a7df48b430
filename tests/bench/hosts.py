"""What is measured, and how: a session of bellhop and a server of tmux with the same face, the bytes
that programs print, processor time and memory of processes. Not a program."""
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import time

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


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


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
        self.state = tempfile.mkdtemp(prefix="bench-state.", dir=os.environ.get("BENCH_STATE", BUILD))
        self.env = {"HOME": self.top, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
                    "BELLHOP_RUNTIME_DIR": f"{self.top}/run", "BELLHOP_STATE_DIR": self.state,
                    "BELLHOP_TOP_PID": str(os.getpid())}
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


def run_parts(parts, beside_tmux):
    """Run the parts that $BENCH_ONLY names, by default all; gives the exit status."""
    wanted = os.environ.get("BENCH_ONLY", " ".join(parts)).split()
    status = 0
    for name in filter(parts.__contains__, wanted):
        if name in beside_tmux and shutil.which("tmux") is None:
            print(f"# {name}: skipped, tmux is not installed")
            continue
        try:
            parts[name]()
        except Exception as error:  # one part that fails must not hide the others
            print(f"# {name}: failed: {error}")
            status = 1
    return status
