#!/usr/bin/env python3
"""Figures of mail through a whole session: mail.py, run by `make bench` in the build folder.

BENCH_ONLY="sends waiter typed sizes" takes some parts. What is compared is measured in turns, many
short ones: disk and machine are not as fast now as they were a second ago. BENCH_STATE: the folder of the
stores; /dev/shm shows what the disk hides.
"""
import os
import random
import selectors
import socket
import statistics
import sys
import time
import uuid

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hosts import (BUILD, Connection, Session, figure, percentile, run_parts,  # noqa: E402
                   until)

ROUNDS = 9
ROUND_S = 0.4
MANY_UNREAD, MANY_NAMES = 100000, 10000
BODY = "Please look at src/mail/store.c and say what you think of it."


class Senders:
    """Connections that each send and wait for the answer, as many at once as are asked for."""

    def __init__(self, session, count):
        self.prefix, self.number = f"{random.getrandbits(32):08x}-0000-4000-8000", 0
        self.socks = []
        for _ in range(count):
            self.socks.append(socket.socket(socket.AF_UNIX))
            self.socks[-1].connect(f"{session.top}/run/default/server.sock")

    def close(self):
        for sock in self.socks:
            sock.close()

    def request(self, to):
        self.number += 1
        return (f'{{"jsonrpc":"2.0","id":1,"method":"message.send","params":{{"to":"{to}","body":"{BODY}",'
                f'"message_id":"{self.prefix}-{self.number:012x}","no_wait":true}}}}\n').encode()

    def run(self, count, names, is_over):
        """Send to the names in turn with @count connections until there are no more or @is_over; gives how
        many were answered."""
        names, answered, pending = iter(names), 0, 0
        selector = selectors.DefaultSelector()
        for sock in self.socks[:count]:
            selector.register(sock, selectors.EVENT_READ)
            to = next(names, None)
            if to is not None:
                sock.sendall(self.request(to))
                pending += 1
        while pending > 0:
            for key, _ in selector.select():
                line = key.fileobj.recv(1 << 16)
                while not line.endswith(b"\n"):
                    line += key.fileobj.recv(1 << 16)
                if b'"error"' in line:
                    raise RuntimeError(line.decode())
                answered, pending = answered + 1, pending - 1
                to = None if is_over() else next(names, None)
                if to is not None:
                    key.fileobj.sendall(self.request(to))
                    pending += 1
        selector.close()
        return answered


def forever(name):
    while True:
        yield name


def send_rate(senders, count, name):
    began = time.monotonic()
    answered = senders.run(count, forever(name), lambda: time.monotonic() - began > ROUND_S)
    return answered / (time.monotonic() - began)


def disk_rate(folder):
    path, count = f"{folder}/fdatasync", 0
    fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    began = time.monotonic()
    while time.monotonic() - began < ROUND_S:
        os.write(fd, b"x" * 4096)
        os.fdatasync(fd)
        count += 1
    elapsed = time.monotonic() - began
    os.close(fd)
    os.unlink(path)
    return count / elapsed


def bench_sends():
    session = Session()
    senders = Senders(session, 64)
    rates = {0: [], 1: [], 8: [], 64: []}
    try:
        for _ in range(ROUNDS):
            rates[0].append(disk_rate(session.state))
            for count in (1, 8, 64):
                rates[count].append(send_rate(senders, count, "nobody"))
        disk = statistics.median(rates[0])
        figure("the disk: fdatasync of 4 KiB", f"{disk:.0f}", "/s")
        for count in (1, 8, 64):
            rate = statistics.median(rates[count])
            figure(f"durable sends, {count} at once", f"{rate:.0f}", "/s")
            figure(f"durable sends, {count} at once: per fdatasync of the disk", f"{rate / disk:.2f}", "")
    finally:
        senders.close()
        session.close()


# --- waiters ---

def waiter_main(folder):
    """In a terminal: wait for mail, confirm it, write down when it came."""
    connection = Connection(os.environ["BELLHOP_SOCKET"])
    with open(f"{folder}/waited", "w", encoding="utf-8", buffering=1) as file:
        while True:
            page = connection.call("inbox.wait", timeout_ms=60000, limit=1)
            now = time.monotonic()
            if page["messages"]:
                connection.call("inbox.confirm", confirm=page["confirm"])
                file.write(f"{now}\n")


def bench_waiter():
    session = Session()
    try:
        session.run("w", ["env", f"BELLHOP_TEST_BUILDDIR={BUILD}", sys.executable, os.path.abspath(__file__), "waiter", session.top])
        until(lambda: os.path.exists(f"{session.top}/waited"))
        began, answered = [], []
        for i in range(300):
            time.sleep(0.005)
            began.append(time.monotonic())
            answer = session.rpc.call("message.send", to="w", body=f"number {i}", message_id=str(uuid.uuid4()))
            answered.append((time.monotonic() - began[-1]) * 1000)
            if not answer["delivered"]:
                print(f"# number {i} was not handed over: {answer}")
        until(lambda: len(open(f"{session.top}/waited").readlines()) == len(began))
        came = [float(line) for line in open(f"{session.top}/waited")]
        handed = [(b - a) * 1000 for a, b in zip(began, came)]
        for label, values in (("in the waiter's hands", handed), ("answered as seen", answered)):
            figure(f"send to a waiter until it is {label}: p50", f"{statistics.median(values):.2f}", "ms")
            figure(f"send to a waiter until it is {label}: p99", f"{percentile(values, 0.99):.2f}", "ms")
    finally:
        session.close()


# --- typed into the demo agent; for real agents: make bench-agents ---

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
                answer = session.rpc.call("message.send", to=name, body=f"number {i}", message_id=str(uuid.uuid4()))
                if answer.get("terminal") == "typed":
                    times.append((time.monotonic() - began) * 1000)
        figure("send to typed and proved, idle demo agent: typed of 100", len(times), "")
        if times:
            figure("send to typed and proved, idle demo agent: p50", f"{statistics.median(times):.0f}", "ms")
            figure("send to typed and proved, idle demo agent: p99", f"{percentile(times, 0.99):.0f}", "ms")
    finally:
        session.close()


# --- a large session beside a small one ---

def page(session):
    answer = session.rpc.call("inbox.read", name="reviewer", limit=10)
    session.rpc.call("inbox.confirm", confirm=answer["confirm"])


def call(method, **params):
    return lambda session: session.rpc.call(method, **params)


def send(name):
    return lambda session: session.rpc.call("message.send", to=name, body=BODY, message_id=str(uuid.uuid4()),
                                            no_wait=True)


OPERATIONS = {
    "peek": call("inbox.peek", name="reviewer", limit=10),
    "history": call("mail.history", limit=10),
    "receipt": call("mail.receipt", id="m7"),
    "list": call("terminal.list"),
    "can-wake": call("wake.can_wake", name="reviewer"),
    "can-wake of the operator": call("wake.can_wake", name="operator"),
    "parked": call("parked.list"),
    "whoami": call("identity.whoami"),
    "rooms": call("room.list"),
    "tasks": call("task.list"),
    "send": send("reviewer"),
    "send to an unknown name": lambda session: send(f"unknown{random.getrandbits(40)}")(session),
    "read and confirm a page of 10": page,
}
# Requests to one session, then to the other, and so on: so short that the machine is the same to both.
IN_TURN, TURNS = 10, 60


def fill(session, unread, names):
    senders = Senders(session, 64)
    senders.run(64, ["reviewer"] * unread, lambda: False)
    senders.run(64, (f"agent{i}" for i in range(names)), lambda: False)
    senders.close()


def cpu_ms(pid):
    """Processor time of all threads of a process, to the nanosecond."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total / 1e6


def measure(session, operation):
    """Milliseconds of one: on the clock, and of the server's processor time."""
    began, before = time.monotonic(), cpu_ms(session.server)
    for _ in range(IN_TURN):
        operation(session)
    return (time.monotonic() - began) * 1000 / IN_TURN, (cpu_ms(session.server) - before) / IN_TURN


def compare(label, pairs):
    """@pairs: of each turn what was measured of the small session and of the large one."""
    for unit, what in ((0, ""), (1, ", CPU")):
        small, large = [pair[0][unit] for pair in pairs], [pair[1][unit] for pair in pairs]
        figure(f"{label}{what}: small", f"{statistics.median(small):.3f}", "ms")
        figure(f"{label}{what}: large", f"{statistics.median(large):.3f}", "ms")
        figure(f"{label}{what}: large to small", f"{statistics.median(b / a for a, b in zip(small, large)):.2f}", "")


def bench_sizes():
    small, large = Session(), Session()
    try:
        for session, unread, names in ((small, 300, 10), (large, MANY_UNREAD, MANY_NAMES)):
            session.server = session.pids()[0]
            session.run("reviewer", ["sleep", "3600"])
            fill(session, unread, names)
        time.sleep(5)  # the stores put their logs away
        print(f"# large: {MANY_UNREAD} unread in one mailbox, {MANY_NAMES} identities")
        for label, operation in OPERATIONS.items():
            if operation is page:
                fill(small, 10 * IN_TURN * (TURNS + 1), 0)
            measure(small, operation), measure(large, operation)
            compare(label, [[measure(session, operation) for session in (small, large)] for _ in range(TURNS)])
        time.sleep(2)
        for label, session in (("small", small), ("large", large)):
            before = cpu_ms(session.server)
            time.sleep(10)
            figure(f"CPU of a server at rest: {label}", f"{(cpu_ms(session.server) - before) / 10:.2f}", "ms/s")
    finally:
        small.close()
        large.close()


PARTS = {"sends": bench_sends, "waiter": bench_waiter, "typed": bench_typed, "sizes": bench_sizes}

if sys.argv[1:2] == ["waiter"]:
    waiter_main(sys.argv[2])
else:
    sys.exit(run_parts(PARTS, ()))
