#!/usr/bin/env python3
"""Mail is typed into demo agents while something happens between two steps of the typing.

usage: faults.py BUILD [--jobs N] [--points A,B] [--faults A,B] [--agents A,B] [--some]

Each case has a demo agent of its own. A message is sent; when its typing comes to POINT, FAULT
happens (tests/faults/fault.h); afterwards a person puts things right, and then must hold: the text
became one turn, exactly; no dialog was answered and no turn interrupted but by the person; the
person's own keys arrived; what the send answered was true. --some: the cases of `make check`.
Exit 0: all cases hold. TAP on the standard output.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

POINTS = ["claim_due", "claimed", "held", "paste_due", "pasted", "echoed", "settled", "cr_due", "sent", "proved",
          "stored"]
# The server outlives five crashes in a row: a session has so many cases.
CASES_PER_SESSION = 4
AGENTS = {
    "plain": [],
    "swallow": ["--swallow-enter"],
    "lag": ["--lag", "2000"],
    "queue": ["--queue"],
    "silent": ["--no-status"],
    "lag-queue": ["--lag", "1000", "--queue"],
}
QUESTION = "by itself"


class Broken(Exception):
    pass


def until(what, seconds, is_so):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = is_so()
        if found:
            return found
        time.sleep(0.1)
    raise Broken(f"not within {seconds} s: {what}")


class Session:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.program = os.path.join(build, "tests/faults/bellhop")
        self.faults = os.path.join(folder, "fault")
        home = os.path.join(folder, "home")
        os.makedirs(home)
        self.env = {"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color",
                    "BELLHOP_RUNTIME_DIR": os.path.join(folder, "r"), "BELLHOP_STATE_DIR": os.path.join(folder, "s"),
                    "XDG_CONFIG_HOME": os.path.join(folder, "c"), "BELLHOP_LIBEXECDIR": build,
                    "BELLHOP_TEST_FAULTS": self.faults, "BELLHOP_TOP_PID": str(os.getpid())}

    def start(self, *args):
        return subprocess.Popen([self.program, *args], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, stdin=subprocess.DEVNULL)

    def call(self, *args):
        child = self.start(*args)
        out, err = child.communicate(timeout=90)
        return child.returncode, out, err

    def must(self, *args):
        status, out, err = self.call(*args)
        if status != 0:
            raise Broken(f"bellhop {' '.join(args)}: {err}")
        return out

    def json(self, *args):
        status, out, _ = self.call(*args)
        return json.loads(out) if status == 0 else {}

    def points(self):
        try:
            with open(self.faults + ".log", encoding="utf-8") as file:
                return file.read().split()
        except FileNotFoundError:
            return []

    def close(self):
        status = self.json("server", "status", "--json")
        self.call("server", "stop", "--force")
        for pid in (status.get("pid"), status.get("keeper_pid")):
            until("the session is gone", 30, lambda pid=pid: pid is None or not is_alive(pid))


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Agent:
    def __init__(self, session, name, options):
        self.session, self.name, self.options = session, name, options
        self.log = os.path.join(session.folder, f"{name}.log")
        self.run()

    def run(self):
        self.session.must("run", "--name", self.name, "--size", "80x24", "--cwd", self.session.folder, "--",
                          os.path.join(self.session.build, "bellhop-demo-agent"), "--log", self.log, *self.options)
        self.session.must("wait-state", self.name, "idle", "--timeout", "30s")
        self.pid = self.terminal()["pid"]

    def terminal(self):
        found = [t for t in self.session.json("list", "--all", "--json").get("terminals", [])
                 if t["identity"] == self.name]
        return found[-1] if found else {}

    def events(self, kind):
        with open(self.log, encoding="utf-8") as file:
            return [line["text"] for line in map(json.loads, file) if line["event"] == kind]

    def turns(self, body):
        return [text for text in self.events("user") if body in text]

    def screen(self):
        return self.session.call("screen", self.name)[1]

    def keys(self, *keys):
        self.session.must("keys", self.name, *keys)

    def receipt(self, seq):
        return [step["step"] for step in self.session.json("receipt", "--json", f"m{seq}").get("steps", [])]


# --- the faults: what happens at the point, and how a person puts it right -----------------------

def nothing_to_do(agent):
    pass


def end_dialog(agent):
    until("the dialog", 30, lambda: QUESTION in agent.screen())
    time.sleep(1.5)
    if agent.events("approved") or agent.events("denied"):
        raise Broken("the dialog was answered")
    if QUESTION not in agent.screen():
        raise Broken("the dialog is gone")
    agent.keys("Escape")
    until("the answer", 30, lambda: agent.events("denied"))


def clear_key(agent):
    """The key stands alone in the composer, or (the Enter was lost) behind our text."""
    def key():
        lines = agent.screen().splitlines()
        alone = any(line.startswith("> x") for line in lines)
        return "C-u" if alone else "Backspace" if any(line.endswith("keyx") for line in lines) else None
    until("the person's key", 30, key)
    time.sleep(1)
    agent.keys(key())


# While the server stands still a person's command reaches its socket: the next thing that it reads.
MEET = "touch {meet}; until [ -e {meet}.go ]; do sleep 0.01; done"

# Name: what the server does at the point, what a person's command is, what a person does afterwards.
FAULTS = {
    "die": ("kill -KILL {pid}; sleep 0.1", None, nothing_to_do),
    "dialog": ("kill -USR1 {pid}; sleep 0.1", None, end_dialog),
    "late-dialog": ("(sleep 0.02; kill -USR1 {pid}) &", None, end_dialog),
    "key": (MEET, ["type", "{name}", "x"], clear_key),
    "enter": (MEET, ["keys", "{name}", "Enter"], nothing_to_do),
    "resize": (MEET, ["resize", "{name}", "100x30"], nothing_to_do),
    "turn": ("kill -USR2 {pid}; sleep 0.1", None, nothing_to_do),
    "late-turn": ("(sleep 0.02; kill -USR2 {pid}) &", None, nothing_to_do),
    "stop": ("kill -STOP {pid}; (sleep 4; kill -CONT {pid}) &", None, nothing_to_do),
    "kill": ("kill", None, nothing_to_do),
}


class Case:
    def __init__(self, agent_kind, point, fault):
        self.agent_kind, self.point, self.fault = agent_kind, point, fault
        self.name = f"{agent_kind} {point} {fault}"

    def run(self, session, number):
        agent = Agent(session, f"a{number}", AGENTS[self.agent_kind])
        body = f"case {number} of {self.name}"
        command, person, put_right = FAULTS[self.fault]
        meet = f"{session.faults}.meet{number}"
        if os.path.exists(session.faults + ".log"):
            os.unlink(session.faults + ".log")
        with open(session.faults + ".new", "w", encoding="utf-8") as file:
            file.write(self.point + " " + command.format(pid=agent.pid, meet=meet))
        os.rename(session.faults + ".new", session.faults)
        sending = session.start("send", "--json", agent.name, body)
        try:
            until(f"the point {self.point}", 30, lambda: not os.path.exists(session.faults))
            if person is not None:
                self.meet(session, meet, [word.format(name=agent.name) for word in person])
            if self.fault == "die":
                self.check_dead(agent, body, sending)
            else:
                put_right(agent)
                self.check(agent, body, self.answer(sending))
        except Broken as broken:
            raise Broken(self.evidence(agent, broken)) from broken

    def meet(self, session, meet, person):
        until("the server waits", 30, lambda: os.path.exists(meet))
        acting = session.start(*person)
        time.sleep(0.1)
        with open(meet + ".go", "w", encoding="utf-8"):
            pass
        _, err = acting.communicate(timeout=30)
        if acting.returncode != 0:
            raise Broken(f"bellhop {' '.join(person)}: {err}")

    def answer(self, sending):
        out, err = sending.communicate(timeout=60)
        if not out.startswith("{"):
            raise Broken(f"send failed: {err}")
        return json.loads(out)

    def check(self, agent, body, answer):
        self.check_answer(agent, body, answer)
        until("seen", 60, lambda: "seen" in agent.receipt(answer["seq"]))
        text = f"Mail m{answer['seq']} from the operator:\n| {body}"
        if agent.events("user").count(text) != 1 or len(agent.events("user")) != 1:
            raise Broken(f"the turns are {agent.events('user')}")
        allowed = 1 if self.fault.endswith("dialog") else 0
        if len(agent.events("denied")) != allowed or agent.events("approved"):
            raise Broken("a dialog was answered")
        if "interrupted" in agent.events("turn_end"):
            raise Broken("a turn was interrupted")
        self.check_keys(agent)

    def check_answer(self, agent, body, answer):
        is_turn = len(agent.turns(body)) == 1
        if answer["delivered"] and not is_turn:
            raise Broken(f"told as delivered: {answer}")
        if answer.get("terminal") == "typed" and not answer["delivered"]:
            raise Broken(f"typed, but not delivered: {answer}")
        if not answer["delivered"] and not answer.get("reason"):
            raise Broken(f"no reason: {answer}")

    def check_keys(self, agent):
        """The person's keys are not held any more."""
        agent.keys("z")
        until("a key of the person", 30, lambda: "> z" in agent.screen())

    def check_dead(self, agent, body, sending):
        until("the end of the agent", 30, lambda: agent.terminal().get("state") == "exited")
        answer = self.answer(sending)
        self.check_answer(agent, body, answer)
        first = len(agent.turns(body))
        unread = [m["seq"] for m in agent.session.json("peek", "--json", agent.name).get("messages", [])]
        if answer["seq"] not in unread and not answer["delivered"] and first == 0:
            raise Broken(f"neither unread nor a turn: {answer}")
        agent.run()
        until("seen", 60, lambda: agent.session.json("peek", "--json", agent.name).get("messages") == [])
        until("a turn", 60, lambda: agent.turns(body))
        until("an end of the typing", 60, lambda: agent.receipt(answer["seq"])[-1] == "seen")
        # Once for each agent: the first one died in that turn or before it.
        if len(agent.turns(body)) > first + 1 or first > 1:
            raise Broken(f"the turns are {agent.events('user')}")
        self.check_keys(agent)

    def evidence(self, agent, broken):
        seq = [m["seq"] for m in agent.session.json("history", "--json", "--limit", "100").get("messages", [])
               if m["to"] == agent.name]
        receipt = agent.session.call("receipt", f"m{seq[-1]}")[1] if seq else ""
        with open(agent.log, encoding="utf-8") as file:
            log = file.read()
        return "\n".join([str(broken), receipt, " ".join(agent.session.points()), log, agent.screen(),
                          agent.session.call("explain", agent.name)[1]])


class Report:
    def __init__(self, count):
        self.lock, self.number, self.failed = threading.Lock(), 0, 0
        print(f"1..{count}", flush=True)

    def add(self, case, problem, took):
        with self.lock:
            self.number += 1
            self.failed += problem is not None
            print(f"{'ok' if problem is None else 'not ok'} {self.number} - {case.name} # {took:.1f} s", flush=True)
            for line in filter(str.strip, (problem or "").splitlines()):
                print(f"# {line}", flush=True)


def run_cases(build, cases, report):
    """In a session of their own."""
    folder = tempfile.mkdtemp(prefix="bhf.", dir="/tmp")  # names of Unix sockets are short
    session = Session(build, folder)
    try:
        for number, case in enumerate(cases):
            problem, began = None, time.monotonic()
            try:
                case.run(session, number)
            except (Broken, subprocess.TimeoutExpired, KeyError) as broken:
                problem = f"{type(broken).__name__}: {broken}"
            report.add(case, problem, time.monotonic() - began)
    finally:
        session.close()
        shutil.rmtree(folder, ignore_errors=True)


def is_fair(case):
    """A dialog that an agent shows late cannot be seen before the Enter; see doc/CONTRACT.md."""
    return not (case.agent_kind.startswith("lag") and case.fault.endswith("dialog") and
                case.point in ("echoed", "settled", "cr_due"))


def cases_of(options):
    cases = [Case(agent, point, fault) for fault in options.faults.split(",") for agent in options.agents.split(",")
             for point in options.points.split(",")]
    cases = [case for case in cases if is_fair(case)]
    if not options.some:
        return cases
    # Every fault and every point, but not every pair.
    faults = list(FAULTS)
    return [c for c in cases if (POINTS.index(c.point) + 3 * faults.index(c.fault)) % 5 == 0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--points", default=",".join(POINTS))
    parser.add_argument("--faults", default=",".join(FAULTS))
    parser.add_argument("--agents", default="plain")
    parser.add_argument("--some", action="store_true")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    cases = cases_of(options)
    report = Report(len(cases))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [pool.submit(run_cases, options.build, cases[at:at + CASES_PER_SESSION], report)
                   for at in range(0, len(cases), CASES_PER_SESSION)]
        try:
            for done in running:
                done.result()
        except (SystemExit, KeyboardInterrupt):
            pool.shutdown(cancel_futures=True)  # those that run end their sessions
            raise
    return 1 if report.failed else 0


signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
sys.exit(main())
