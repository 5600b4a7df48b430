#!/usr/bin/env python3
"""Hours of a person at agents that draw all the time, in little: ui_soak.py BUILD [MINUTES [SEED]].

Eight panes in two tabs: demo agents at work, painters (colours, wide characters, scrolling, other
screens), a shell. The person presses keys, uses the mouse, resizes, now and then detaches and is back. Every
half a minute the painters stop and what the person sees must be what the server has; drawn anew it must stay,
cell by cell, with its colours. At the end no process may have more descriptors than after the first part,
nor much more memory. Figures are printed; exit 0: all of it held.
"""
import itertools
import json
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

TOP = None if sys.argv[1] == "--paint" else tempfile.mkdtemp(prefix="bh-soak.", dir="/tmp")
BUILD = os.path.abspath(sys.argv[1])
SELF = os.path.abspath(__file__)
os.environ.update({"BELLHOP_TEST_BUILDDIR": BUILD, "BELLHOP_RUNTIME_DIR": f"{TOP}/run", "BELLHOP_STATE_DIR": f"{TOP}/state",
                   "XDG_CONFIG_HOME": f"{TOP}/config", "HOME": f"{TOP}", "SHELL": "/bin/sh", "PS1": "$ ", "LANG": "C.UTF-8",
                   "TERM": "xterm-256color", "BELLHOP_TOP_PID": str(os.getpid())})
for name in ("TMUX", "TMUX_PANE", "BELLHOP_TERMINAL", "BELLHOP_TOKEN", "BELLHOP_SESSION"):
    os.environ.pop(name, None)
import ui_random  # pylint: disable=wrong-import-position  # it reads the environment
from ui_random import ARROWS, PREFIX, Person, rpc, tmux  # pylint: disable=wrong-import-position

# Nothing that opens or closes panes.
AFTER_PREFIX = list("npo;z{} b[]wme?rLa12") + ["\x0f", "\x1b[5~", "\x1b[1;5C", "\x1b[1;5A"] + ARROWS
KEYS = ["\r", "\x1b", "q", "\t", "\x7f", " ", "n", "v", "y", "g", "G", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[13;2u", "j", "k"] + ARROWS
TEXTS = ["echo hello", "seq 1 60", "clear", "printf '日本語 ﬁ é\\n'", "stty size", "hello, how are you?"]
# A pane and the one beside which it is opened.
PANES = (("shell", None, ""), ("demo1", "shell", "right"), ("demo2", "demo1", "down"), ("paint1", "shell", "down"),
         ("paint2", "paint1", "right"), ("paint3", "demo2", "down"), ("demo3", None, ""), ("paint4", "demo3", "down"))
STEPS_A_PART = 60
# So many looks in a row, a quarter of a second apart, are the same before a picture counts as quiet.
QUIET_LOOKS = 6
WORDS = "read wrote 日本語の文章 naïve café 한국어 文字 ✳ ● … … done of the line │ ─ ".split()


def paint(rng):
    """One drawing of a painter of unknown size."""
    row, col = rng.randint(1, 40), rng.randint(1, 100)
    style = rng.choice(("1", "2", "3", "4", "4:3", "7", "0", f"38;2;{rng.randrange(256)};90;{rng.randrange(256)}", f"48;5;{rng.randrange(256)}"))
    text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 12)))
    return rng.choice((
        f"\x1b[{row};{col}H\x1b[{style}m{text}\x1b[0m", f"\x1b[{row};1H\x1b[K{text}", f"\x1b[{style}m{text}\x1b[0m\r\n",
        f"\x1b[{row};{col}H\x1b[{style}m\x1b[{rng.choice('JKXP@LM')}\x1b[0m", f"\x1b[{rng.randint(1, 9)}{rng.choice('STLMP@X')}",
        f"\x1b[{rng.randint(1, 5)};{rng.randint(6, 12)}r\x1b[{row};1H{text}\r\n\x1bM\x1b[r", "\x1b[?1049h" + text, "\x1b[?1049l",
        f"\x1b]0;{text[:20]}\x07", f"\x1b[{style}m\x1b[2J\x1b[H\x1b[0m" if rng.random() < 0.1 else text,
        f"\x1b[{rng.randint(0, 6)} q\x1b[?25{rng.choice('hl')}", f"{text}\x1b[{rng.randint(1, 200)}b"))


def painter(seed):
    """Draws until it is ended; takes what is typed."""
    subprocess.run(["stty", "raw", "-echo"], check=True)
    os.set_blocking(0, False)
    rng = random.Random(seed)
    while True:
        drawing = "".join(paint(rng) for _ in range(rng.randint(1, 6)))
        os.write(1, f"\x1b[?2026h{drawing}\x1b[?2026l".encode())
        try:
            os.read(0, 65536)
        except BlockingIOError:
            pass
        time.sleep(rng.choice((0.02, 0.03, 0.1, 0.2)))


def styled(text):
    """Rows of (character, attributes, colours) of what capture-pane gives; blanks that look like none are left out."""
    style, rows = (frozenset(), "39", "49"), []
    for line in text.split("\n"):
        row = []
        for sgr, char in re.findall(r"\x1b\[([0-9;:]*)m|(\x1b\][^\x07\x1b]*\x1b\\|.)", line):
            if char:
                row.append((char, *style))
            else:
                style = styled_by(style, sgr.split(";"))
        for age in re.finditer(r"\b\d+:\d\d\b", "".join(cell[0][-1] for cell in row)):
            row[age.start():age.end()] = []  # the sidebar's ages go on by themselves
        while row and row[-1][0] == " " and row[-1][3] == "49" and not row[-1][1] & {"4", "7", "9"}:
            row.pop()
        rows.append(row)
    return rows


def styled_by(style, words):
    marks, front, back = style
    while words:
        word = words.pop(0)
        if word in ("38", "48", "58"):
            count = 4 if words[0] == "2" else 2
            word, words = ";".join([word, *words[:count]]), words[count:]
        if word in ("", "0"):
            marks, front, back = frozenset(), "39", "49"
        elif re.match("3|9.", word) and word != "3":
            front = word
        elif re.match("4[0-9]|10", word):
            back = word
        else:
            marks |= {word}
    return marks, front, back


def difference(seen, drawn):
    """Each row that differs, as it was and as it is."""
    return "; ".join(f"row {y}, columns {[x for x, (a, b) in enumerate(itertools.zip_longest(was, now)) if a != b]}: "
                     f"{''.join(cell[0] for cell in was)!r} and {''.join(cell[0] for cell in now)!r}"
                     for y, (was, now) in enumerate(zip(seen, drawn)) if was != now)


def memory_kib(pid):
    for line in open(f"/proc/{pid}/smaps_rollup"):
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


class Soak(Person):
    after_prefix, keys, texts = AFTER_PREFIX, KEYS, TEXTS
    pauses = [0, 0.05, 0.2, 0.8]
    detaches = 0.01  # settle() comes back

    def __init__(self, seed):
        super().__init__(seed)
        self.seed = seed
        self.samples = []

    def argv(self, name):
        if name.startswith("demo"):
            return [f"{BUILD}/bellhop-demo-agent"]
        if name.startswith("paint"):
            return [sys.executable, SELF, "--paint", f"{self.seed}{name}"]
        return ["/bin/sh"]

    def furnish(self):
        """All panes are there, also those whose program was told to end, and no tab that a key opened."""
        for name in [t["identity"] for t in rpc("terminal.list")["terminals"] if t["identity"].startswith("sh-")]:
            rpc("pane.close", {"name": name, "force": True})
        names = {p["identity"] for t in rpc("layout.get")["tabs"] for p in t["panes"]}
        for name, beside, direction in PANES:
            if name in names:
                continue
            if self.samples and name.startswith("paint"):
                self.fail("a painter ended, which no key makes it do")
            params = {"argv": self.argv(name), "identity": name, "cwd": TOP, "env": {}, "focus": False}
            try:
                rpc("pane.split", {**params, "name": beside or "nobody", "direction": direction})
            except subprocess.CalledProcessError:  # it begins a tab, or there is no room any more
                rpc("tab.new", {**params, "focus": True})
            self.steps.append(f"{name} begins")

    @staticmethod
    def pids(prefix):
        return [t["pid"] for t in rpc("terminal.list")["terminals"] if t["identity"].startswith(prefix)]

    def signal(self, prefix, number):
        for pid in self.pids(prefix):
            try:
                os.kill(pid, number)
            except ProcessLookupError:  # it was just told to end
                pass

    def picture(self):
        return styled(tmux("capture-pane", "-p", "-N", "-e"))

    def quiet_picture(self):
        """What is seen once it stays for a while."""
        end = time.monotonic() + 90
        same, before = 0, None
        while same < QUIET_LOOKS:
            if time.monotonic() > end:
                self.fail("what stopped goes on drawing")
            now = self.picture()
            same = same + 1 if now == before else 0
            before = now
            time.sleep(0.25)
        return now

    def compare(self):
        """What is seen is what there is."""
        self.signal("paint", signal.SIGSTOP)
        try:
            self.settle()
            for _ in range(5):
                seen = self.quiet_picture()
                self.type(PREFIX + "r")
                time.sleep(0.3)
                drawn = self.quiet_picture()
                if seen == drawn:
                    return
                self.difference = difference(seen, drawn)
                print(f"# seed {self.seed}: {self.difference}", flush=True)  # a state or an age may change by itself
            self.fail("cells that nobody wrote")
        finally:
            self.signal("paint", signal.SIGCONT)

    def client(self):
        """The process of the UI, a child of the shell in tmux."""
        shell = tmux("display-message", "-p", "#{pane_pid}").strip()
        return int(subprocess.run(["pgrep", "-P", shell, "-x", "bellhop"], check=True, capture_output=True, text=True).stdout.split()[0])

    def sample(self, minutes):
        info = rpc("server.info")
        pids = (info["pid"], info["keeper_pid"], self.client())
        sample = [(memory_kib(pid), descriptors(pid)) for pid in pids]
        # A terminal that ended is kept for `list --all`, with the descriptor of its tape; only so many are.
        ended = len(rpc("terminal.list", {"all": True})["terminals"]) - len(rpc("terminal.list")["terminals"])
        sample[0] = (sample[0][0], sample[0][1] - ended)
        self.samples.append(sample)
        print(f"{minutes:6.1f} min", *(f"{name} {kib} KiB {fds} fds" for name, (kib, fds) in
                                       zip(("server", "keeper", "client"), self.samples[-1])), flush=True)

    def judge(self):
        """No process grew: the last quarter beside the second, when histories are full."""
        count = len(self.samples)
        if count < 8:
            return
        for i, name in enumerate(("server", "keeper", "client")):
            early, late = ([s[i] for s in part] for part in (self.samples[count // 4:count // 2], self.samples[-(count // 4):]))
            was, now = (statistics.median(kib for kib, _ in part) for part in (early, late))
            print(f"{name}: {was:.0f} KiB, then {now:.0f} KiB; descriptors {max(f for _, f in early)}, then {max(f for _, f in late)}")
            if now > was * 1.1 + 512:
                self.fail(f"the {name} grows")
            if min(f for _, f in late) > max(f for _, f in early):
                self.fail(f"the {name} loses descriptors")

    def go(self, minutes):
        self.open()
        self.furnish()
        began = time.monotonic()
        while time.monotonic() - began < minutes * 60:
            for i in range(STEPS_A_PART):
                if i % 20 == 0:
                    self.signal("demo", signal.SIGUSR2)  # a turn
                self.step()
                if self.has_left():
                    break
            self.compare()
            self.sample((time.monotonic() - began) / 60)
            self.furnish()
            del self.steps[:-200]
        self.judge()


def main():
    minutes = float(sys.argv[2]) if len(sys.argv) > 2 else 30
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 20)
    os.makedirs(f"{TOP}/config/bellhop")
    os.makedirs(f"{TOP}/run", mode=0o700)
    with open(f"{TOP}/config/bellhop/config.json", "w") as file:
        json.dump({"history_lines": 1000}, file)
    os.chdir(TOP)  # what is pasted into the shell may make files
    soak = Soak(seed)
    print(f"seed {seed}, {minutes:g} minutes", flush=True)
    try:
        soak.go(minutes)
    except subprocess.CalledProcessError as e:
        soak.fail(f"{e.cmd}: {e.stderr}")
    finally:
        subprocess.run(["tmux", "-S", ui_random.SOCKET, "kill-server"], check=False, capture_output=True)
        subprocess.run([f"{BUILD}/bellhop", "server", "stop", "--force"], check=False, capture_output=True)
        shutil.rmtree(TOP, ignore_errors=True)


if sys.argv[1] == "--paint":
    painter(sys.argv[2])
main()
