#!/usr/bin/env python3
"""Send mail to demo agents while the server is killed again and again.

usage: crashes.py BUILD FOLDER SEED SECONDS

Exit 0: every message became a turn of its agent once, in order. The session is that of the
environment; FOLDER takes the agents' logs.
"""
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import uuid

AGENTS = ["w1", "w2", "w3"]
# How long the agents may take for what is left when the last server was killed.
SETTLE_S = 180


class Session:
    def __init__(self, build):
        self.program = os.path.join(build, "bellhop")

    def call(self, *args):
        done = subprocess.run([self.program, *args], capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout

    def terminals(self):
        status, out = self.call("list", "--json")
        return json.loads(out)["terminals"] if status == 0 else []


class Killer(threading.Thread):
    def __init__(self, session, seed):
        super().__init__()
        self.session, self.random = session, random.Random(seed)
        self.is_over, self.kills = threading.Event(), 0

    def run(self):
        while not self.is_over.wait(self.random.uniform(0.2, 2.0)):
            status, out = self.session.call("server", "status", "--json")
            if status == 0:
                try:
                    os.kill(json.loads(out)["pid"], signal.SIGKILL)
                    self.kills += 1
                except ProcessLookupError:
                    pass


def send(session, to, body):
    """As a client does it: the same id until it is answered."""
    message_id = str(uuid.uuid4())
    for _ in range(200):
        if session.call("send", "--no-wait", "--message-id", message_id, to, body)[0] in (0, 3):
            return
        time.sleep(0.2)
    sys.exit(f"{body} to {to}: no server answers any more")


def numbers_seen(folder, agent):
    with open(os.path.join(folder, f"{agent}.log"), encoding="utf-8") as file:
        return [int(number) for number in re.findall(r"number (\d+) end", file.read())]


def main():
    build, folder, seed, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    session, choose = Session(build), random.Random(seed)
    sent = {agent: [] for agent in AGENTS}
    for agent in AGENTS:
        status, _ = session.call("run", "--name", agent, "--", os.path.join(build, "bellhop-demo-agent"), "--log",
                                 os.path.join(folder, f"{agent}.log"))
        assert status == 0, agent
    killer = Killer(session, seed)
    killer.start()
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        number += 1
        agent = choose.choice(AGENTS)
        send(session, agent, f"number {number} end")
        sent[agent].append(number)
        time.sleep(choose.uniform(0, 0.4))
    killer.is_over.set()
    killer.join()
    end = time.monotonic() + SETTLE_S
    while time.monotonic() < end and any(numbers_seen(folder, agent) != sent[agent] for agent in AGENTS):
        time.sleep(0.5)
    print(f"seed {seed}: {number} messages, {killer.kills} kills")
    status = 0
    for agent in AGENTS:
        seen = numbers_seen(folder, agent)
        if seen != sent[agent]:
            print(f"{agent}: sent {sent[agent]}\n{agent}: seen {seen}")
            status = 1
    assert killer.kills > 0
    print(json.dumps(session.terminals()) if status else "nothing lost, nothing twice, all in order")
    return status


sys.exit(main())
