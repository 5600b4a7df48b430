#!/usr/bin/env python3
"""Agents send, read, acknowledge while the server is killed and its disk fails. What they were told is true.

usage: durable.py BUILD [--operations N] [--agents N] [--disk WHAT] [--seed N] [--kills yes|no]

WHAT: none; sync, write, full (now and then, by the file system below SQLite of tests/faults); tmpfs
(a file system of 64 MiB that is full now and then); limit (the server's files may not grow).

Each agent is a process in a terminal with one connection per thread: some send, one reads its
inbox, confirms most of it and drops some, one acknowledges. Each writes down what it was told.
At the end they read what is left, the server is stopped, and the database must hold each message whose
send was answered, once, as it was sent; seen, if it was told so; and none whose send was refused. Exit 0: so
it is.
"""
import argparse
import json
import os
import random
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid

SENDERS = 6
# Longer than the server keeps mail for a reader who does not confirm.
LEASE_S = 12
# How long anybody waits for a server that answers.
PATIENCE_S = 120
ROOM = "#crew"
# How often there is trouble: once in so many attempts to send, and at least so many times.
ROUND_ATTEMPTS = 400
ROUNDS_MIN = 8
# A fault of the disk: in how many of 1000 operations.
SHARES = {"sync": 600, "write": 150, "full": 300}
# Room for all of the messages, of whom as many may be stored as on a good disk.
TMPFS = 64 << 20
UNSHARE = ["unshare", "--user", "--map-root-user", "--mount"]


class Broken(Exception):
    pass


class Refused(Exception):
    def __init__(self, error):
        super().__init__(error["message"])
        self.word = error["data"]["word"]


class Connection:
    """One connection, made again when it breaks."""

    def __init__(self, path):
        self.path, self.sock, self.file, self.number = path, None, None, 0

    def drop(self):
        if self.sock is not None:
            self.file.close()
            self.sock.close()
            self.sock = None

    def once(self, method, params):
        """One attempt; OSError when there is no answer."""
        try:
            if self.sock is None:
                sock = socket.socket(socket.AF_UNIX)
                try:
                    sock.connect(self.path)
                except OSError:
                    sock.close()
                    raise
                self.sock, self.file = sock, sock.makefile("rb")
            self.number += 1
            line = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
            self.sock.sendall(json.dumps(line).encode() + b"\n")
            line = self.file.readline()
            if not line.endswith(b"\n"):
                raise ConnectionError("the connection ended")
        except OSError:
            self.drop()
            raise
        answer = json.loads(line)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def call(self, method, **params):
        """Until it is answered. Gives the result and whether the first attempt was the one."""
        end = time.monotonic() + PATIENCE_S
        is_first = True
        while True:
            try:
                return self.once(method, params), is_first
            except Refused as refused:
                if refused.word == "disk" and is_first:
                    raise
                if refused.word not in ("disk", "busy"):
                    raise
            except OSError:
                pass
            if time.monotonic() > end:
                raise Broken(f"{method}: no answer for {PATIENCE_S} s")
            is_first = False
            time.sleep(0.02)


# --- an agent ---

class Agent:
    """What one process in a terminal does and is told."""

    def __init__(self, name, names, operations, seed, attempts=None):
        self.name, self.names, self.operations = name, names, operations
        self.attempts = attempts  # a file to append to
        self.seed, self.lock = seed, threading.Lock()
        self.sent, self.refused, self.broken = {}, [], []
        # Numbers of mail that is seen for sure, and that was shown.
        self.seen, self.shown = set(), set()
        self.counts = {"reads": 0, "dropped": 0, "acks": 0, "replays": 0, "again": 0}
        self.is_over = threading.Event()

    def connect(self):
        return Connection(os.environ["BELLHOP_SOCKET"])

    def attempted(self):
        """Tell the trouble thread; the size of the file is the number of attempts of all agents."""
        if self.attempts is not None:
            os.write(self.attempts, b".")

    def wrong(self, text):
        with self.lock:
            self.broken.append(f"{self.name}: {text}")

    def send_again(self, connection, message_id, choose):
        """A message id that was answered is answered the same way for ever, and for nothing else."""
        seq, to, body = self.sent[message_id]
        is_other = choose.random() < 0.3
        try:
            answer, _ = connection.call("message.send", to=to, body=body + ("!" if is_other else ""),
                                        message_id=message_id, no_wait=True)
            if is_other or answer["seq"] != seq or not answer.get("idempotent_replay"):
                self.wrong(f"m{seq} was sent again and answered {answer}")
        except Refused as refused:
            if refused.word != ("message_id_conflict" if is_other else "disk"):
                self.wrong(f"m{seq} was sent again: {refused}")
        self.counts["replays"] += 1

    def send(self, connection, number, choose):
        message_id = str(uuid.UUID(int=choose.getrandbits(128), version=4))
        size = choose.choice((10, 10, 100, 1000, 4000)) if choose.random() < 0.995 else 100000
        body = f"{self.name} {number} " + chr(ord("a") + number % 26) * size
        to = ROOM if choose.random() < 0.02 else choose.choice(self.names)
        params = {"to": to, "body": body, "message_id": message_id, "no_wait": True}
        while True:
            self.attempted()
            try:
                answer, is_first = connection.call("message.send", **params)
                break
            except Refused as refused:  # of the first attempt
                if refused.word != "disk":
                    raise
                if choose.random() < 0.5:
                    self.refused.append(message_id)
                    return
                time.sleep(0.02)
        if is_first and answer.get("idempotent_replay") and message_id not in self.refused:
            self.wrong(f"a new message was a replay: {answer}")
        self.sent[message_id] = (answer["seq"], to, body)
        if choose.random() < 0.05:
            self.send_again(connection, choose.choice(list(self.sent)), choose)

    def sender(self, index):
        connection, choose = self.connect(), random.Random(f"{self.seed} {self.name} {index}")
        mine = Agent(f"{self.name}.{index}", self.names, 0, 0, self.attempts)  # its own book, no lock per message
        for number in range(self.operations // SENDERS):
            mine.send(connection, number, choose)
        with self.lock:
            self.sent.update(mine.sent)
            self.refused += mine.refused
            self.broken += mine.broken
            self.counts["replays"] += mine.counts["replays"]

    def look(self, page, seen):
        """What was given to read must be in order, and nothing of it known to be seen."""
        seqs = [message["seq"] for message in page["messages"]]
        if seqs != sorted(set(seqs)):
            self.wrong(f"not in order: {seqs}")
        for message in page["messages"]:
            seq, sender = message["seq"], message["body"].split(" ", 1)[0].rsplit(".", 1)[0]
            if seq in seen:
                self.wrong(f"m{seq} was shown after it was seen")
            if seq in self.shown and not message["shown_before"]:
                self.wrong(f"m{seq} was shown again without a word of it")
            self.counts["again"] += seq in self.shown
            if sender != message["from"]:
                self.wrong(f"m{seq} of {sender} is from {message['from']}")
            self.shown.add(seq)
        return set(seqs)

    def read(self, connection, choose, share_dropped):
        """One page; gives whether there was any."""
        with self.lock:
            seen = set(self.seen)
        method, params = "inbox.read", {"limit": choose.choice((1, 3, 20))}
        if choose.random() < 0.3:
            method, params["timeout_ms"] = "inbox.wait", 200
        try:
            page, _ = connection.call(method, **params)
            self.counts["reads"] += 1
            seqs = self.look(page, seen)
            if not seqs:
                return False
            if choose.random() < share_dropped:
                self.counts["dropped"] += 1
                connection.drop()
                return True
            connection.once("inbox.confirm", {"confirm": page["confirm"]})
            with self.lock:
                self.seen |= seqs
        except (Refused, OSError):
            pass  # what was not confirmed comes again
        return True

    def reader(self):
        connection, choose = self.connect(), random.Random(f"{self.seed} {self.name} reader")
        while not self.is_over.is_set():
            if not self.read(connection, choose, 0.2):
                time.sleep(0.01)

    def acknowledger(self):
        connection, choose = self.connect(), random.Random(f"{self.seed} {self.name} ack")
        while not self.is_over.is_set():
            time.sleep(0.02)
            try:
                page, _ = connection.call("inbox.peek", limit=20)
                if not page["messages"]:
                    continue
                message = choose.choice(page["messages"])
                connection.once("mail.ack", {"ids": [message["id"]]})
                with self.lock:
                    self.seen.add(message["seq"])
                self.counts["acks"] += 1
            except (Refused, OSError):
                pass

    def guarded(self, function, *args):
        try:
            function(*args)
        except Exception as error:  # told at the end, or it would be lost with its thread
            self.wrong(f"{function.__name__}: {error!r}")

    def threads(self):
        return [threading.Thread(target=self.guarded, args=args)
                for args in [(self.sender, index) for index in range(SENDERS)] +
                [(self.reader,), (self.acknowledger,)]]

    def drain(self):
        """Read what is left. Mail that the reader dropped comes back when its lease is over."""
        connection, choose = self.connect(), random.Random(0)
        end = time.monotonic() + LEASE_S
        while time.monotonic() < end:
            if not self.read(connection, choose, 0):
                time.sleep(0.2)

    def run(self, folder):
        threads = self.threads()
        for thread in threads:
            thread.start()
        for thread in threads[:SENDERS]:
            thread.join()
        leave(folder, f"{self.name}.sent", "")
        until("all have sent", lambda: os.path.exists(f"{folder}/all"), PATIENCE_S * 5)
        self.is_over.set()
        for thread in threads[SENDERS:]:
            thread.join()
        self.guarded(self.drain)
        leave(folder, f"{self.name}.told", json.dumps({
            "sent": self.sent, "refused": self.refused, "seen": sorted(self.seen), "broken": self.broken,
            "counts": self.counts}))
        time.sleep(600)


def leave(folder, name, text):
    with open(f"{folder}/{name}.new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(f"{folder}/{name}.new", f"{folder}/{name}")


def until(what, is_so, seconds=PATIENCE_S):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise Broken(f"not within {seconds} s: {what}")
        time.sleep(0.05)


# --- the session ---

class Session:
    def __init__(self, build, folder, is_faulty):
        self.folder = folder
        self.program = f"{build}/tests/faults/bellhop" if is_faulty else f"{build}/bellhop"
        self.disk = f"{folder}/disk"
        # The store on the disk of the build folder: /tmp may be memory.
        self.state = tempfile.mkdtemp(prefix="durable.", dir=build)
        self.database = f"{self.state}/default/mail.db"
        self.env = {"HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "BELLHOP_LIBEXECDIR": build,
                    "BELLHOP_RUNTIME_DIR": f"{folder}/r", "BELLHOP_STATE_DIR": self.state,
                    "BELLHOP_TEST_DISK": self.disk, "BELLHOP_TOP_PID": str(os.getpid())}

    def call(self, *args):
        done = subprocess.run([self.program, *args], env=self.env, capture_output=True, text=True, check=False,
                              timeout=60)
        return done.returncode, done.stdout, done.stderr

    def must(self, *args):
        status, out, err = self.call(*args)
        if status != 0:
            raise Broken(f"bellhop {' '.join(args)}: {err}")
        return out

    def pids(self):
        """Of server and keeper, or None. Starts no server."""
        try:
            info = Connection(f"{self.folder}/r/default/server.sock").once("server.info", {})
            return info["pid"], info["keeper_pid"]
        except (OSError, ValueError):
            return None

    def stop(self):
        pids = self.pids() or ()
        self.call("server", "stop", "--force")
        until("the session is gone", lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids))

    def faults(self):
        try:
            return os.path.getsize(f"{self.disk}.log")
        except FileNotFoundError:
            return 0


class Trouble(threading.Thread):
    """Kills the server and breaks its disk, at random points of the sending.

    Points are counted in attempts to send, not in time: a fast machine is over in a second and gets as much
    trouble as a slow one.
    """

    def __init__(self, session, options):
        super().__init__()
        self.session, self.disk, self.has_kills = session, options.disk, options.kills == "yes"
        self.random = random.Random(f"{options.seed} trouble")
        self.gap = max(1, options.operations // max(ROUNDS_MIN, options.operations // ROUND_ATTEMPTS))
        self.is_over, self.kills, self.failures = threading.Event(), 0, 0
        self.error = None

    def attempts(self):
        try:
            return os.path.getsize(f"{self.session.folder}/attempts")
        except FileNotFoundError:
            return 0

    def wait_attempts(self, count, seconds):
        """Until so many more were made; they stand still while the server is down or its disk hangs."""
        goal, end = self.attempts() + count, time.monotonic() + seconds
        while self.attempts() < goal and time.monotonic() < end:
            if self.is_over.wait(0.001):
                return

    def break_disk(self, is_broken):
        self.failures += is_broken
        if self.disk in SHARES:
            leave(self.session.folder, "disk", f"{self.disk} {SHARES[self.disk]}" if is_broken else "")
        elif self.disk == "tmpfs":
            self.fill(is_broken)
        elif self.disk == "limit":
            pids = self.session.pids()
            if pids is not None:
                size = os.path.getsize(self.session.database + "-wal") + 20000 if is_broken else resource.RLIM_INFINITY
                resource.prlimit(pids[0], resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def fill(self, is_full):
        ballast = f"{self.session.state}/ballast"
        if not is_full:
            os.unlink(ballast)
            return
        with open(ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass

    def kill(self):
        pids = self.session.pids()
        if pids is not None:
            self.kills += 1
            os.kill(pids[0], signal.SIGKILL)

    def revive(self):
        """The keeper starts it again, until it has died too often; then a person's command does."""
        end, last = time.monotonic() + 2, time.monotonic() + PATIENCE_S
        while self.session.pids() is None:
            if time.monotonic() > last:
                raise Broken("the server does not start again")
            if time.monotonic() > end:
                self.session.call("server", "start")
                end = time.monotonic() + 2
            time.sleep(0.02)

    def work(self):
        has_fault, is_first = self.disk != "none", True
        while not self.is_over.is_set():
            self.wait_attempts(self.random.randint(1, self.gap), 10)
            is_killed = self.has_kills and (is_first or self.random.random() < 0.6)
            is_first = False
            if has_fault:
                self.break_disk(True)
                self.wait_attempts(self.random.randint(30, max(40, self.gap)), 2)
            if is_killed:
                self.kill()
            if has_fault:
                self.break_disk(False)
            if is_killed:
                self.revive()

    def run(self):
        try:
            self.work()
        except Exception as error:  # told at the end
            self.error = error


# --- what must be true ---

def check_message(row, said, broken):
    """One message whose send was answered, as the database has it."""
    seq, to, body = said
    if row is None:
        broken.append(f"m{seq} to {to} was answered and is not there")
    elif (row["seq"], row["receiver"], row["body"].decode()) != (seq, to, body):
        broken.append(f"m{seq} to {to} is there as m{row['seq']} to {row['receiver']}, {len(row['body'])} bytes")


def check(database, told):
    """Compare the database with what the agents were told; gives what is wrong."""
    broken = [text for agent in told.values() for text in agent["broken"]]
    db = sqlite3.connect(database)
    db.row_factory = sqlite3.Row
    broken += [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    rows = {row["message_id"]: row for row in db.execute(
        "SELECT m.seq, m.message_id, m.body, i.name AS receiver FROM message m JOIN identity i ON i.id = m.to_id"
        " WHERE m.message_id <> '' AND m.sender = (SELECT sender FROM message ORDER BY seq LIMIT 1)")}
    sent = {message_id: said for agent in told.values() for message_id, said in agent["sent"].items()}
    for message_id, said in sent.items():
        check_message(rows.get(message_id), said, broken)
    for agent in told.values():
        broken += [f"{message_id} was refused and is there" for message_id in agent["refused"]
                   if message_id in rows and message_id not in sent]
    broken += [f"m{row['seq']} was sent by nobody" for message_id, row in rows.items() if message_id not in sent]
    # Each message is in one mailbox, a room's in those of all members but the sender; all were read.
    crew = len(told)
    for row in db.execute("SELECT seq, count(*) AS count, sum(ownership = 2) AS seen, sum(claim <> 0) AS held"
                          " FROM delivery WHERE mailbox NOT IN (SELECT id FROM identity WHERE name = ?)"
                          " GROUP BY seq", (ROOM,)):
        to = next((said[1] for said in sent.values() if said[0] == row["seq"]), None) if row["count"] > 1 else ""
        if row["count"] != (crew - 1 if to == ROOM else 1):
            broken.append(f"m{row['seq']} to {to} is in {row['count']} mailboxes")
        if row["seen"] != row["count"] or row["held"] != 0:
            broken.append(f"m{row['seq']} was left: {row['seen']} of {row['count']} seen, {row['held']} held")
    for name, agent in told.items():
        seen = {row[0] for row in db.execute(
            "SELECT d.seq FROM delivery d JOIN identity i ON i.id = d.mailbox WHERE i.name = ? AND d.ownership = 2",
            (name,))}
        broken += [f"m{seq} was seen by {name} and is not" for seq in agent["seen"] if seq not in seen]
    db.close()
    return broken


def work(options, session):
    names = [f"agent{number}" for number in range(options.agents)]
    session.must("server", "start")
    for name in names:
        session.must("run", "--name", name, "--", sys.executable, os.path.abspath(__file__), "agent", name,
                     session.folder, str(options.operations // options.agents), str(options.seed), *names)
        session.must("room", "join", ROOM, "--name", name)
    trouble = Trouble(session, options)
    began = time.monotonic()
    leave(session.folder, "begin", "")
    trouble.start()
    until("all have sent", lambda: all(os.path.exists(f"{session.folder}/{name}.sent") for name in names),
          PATIENCE_S * 5)
    trouble.is_over.set()
    trouble.join()
    elapsed = time.monotonic() - began
    if trouble.error is not None:
        raise trouble.error
    leave(session.folder, "all", "")
    until("all is read", lambda: all(os.path.exists(f"{session.folder}/{name}.told") for name in names))
    session.stop()
    told = {}
    for name in names:
        with open(f"{session.folder}/{name}.told", encoding="utf-8") as file:
            told[name] = json.load(file)
    return told, trouble, elapsed


def report(options, session, told, trouble, elapsed):
    counts = {key: sum(agent["counts"][key] for agent in told.values()) for key in ("reads", "dropped", "acks",
                                                                                    "replays", "again")}
    sent, refused = (sum(len(agent[key]) for agent in told.values()) for key in ("sent", "refused"))
    print(f"# seed {options.seed}, disk {options.disk}: {sent} sends answered, {refused} refused, {counts}, "
          f"{trouble.kills} kills, {trouble.failures} faults ({session.faults()} operations) in {elapsed:.1f} s")
    broken = check(session.database, told)
    if options.kills == "yes" and trouble.kills == 0:
        broken.append("nothing was killed")
    if options.disk != "none" and refused == 0:
        broken.append("nothing was refused")
    for text in broken[:40]:
        print(f"# {text}")
    print(f"{'not ok' if broken else 'ok'} 1 - what was answered is true, disk {options.disk}")
    return 1 if broken else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--operations", type=int, default=20000)
    parser.add_argument("--agents", type=int, default=8)
    parser.add_argument("--disk", choices=["none", *SHARES, "tmpfs", "limit"], default="none")
    parser.add_argument("--kills", choices=["yes", "no"], default="yes")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    if options.disk == "tmpfs" and "DURABLE_INSIDE" not in os.environ:
        if subprocess.run([*UNSHARE, "true"], check=False).returncode != 0:
            print("1..1\nok 1 - disk tmpfs # SKIP this user may mount nothing")
            return 0
        os.environ["DURABLE_INSIDE"] = "1"
        os.execvp(UNSHARE[0], [*UNSHARE, sys.executable, *sys.argv])
    folder = tempfile.mkdtemp(prefix="bh-dur.", dir="/tmp")
    session = Session(os.path.abspath(options.build), folder, options.disk in SHARES)
    print("1..1", flush=True)
    if options.disk == "tmpfs":
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={TMPFS},mode=700", "none", session.state], check=True)
    try:
        return report(options, session, *work(options, session))
    except Broken as error:
        print(f"# {error}\nnot ok 1 - disk {options.disk}")
        return 1
    finally:
        session.stop()
        if options.disk == "tmpfs":
            subprocess.run(["umount", session.state], check=False)
        shutil.rmtree(session.state, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


def agent_main(name, folder, operations, seed, *names):
    until("it begins", lambda: os.path.exists(f"{folder}/begin"))
    attempts = os.open(f"{folder}/attempts", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    Agent(name, names, int(operations), seed, attempts).run(folder)


if sys.argv[1:2] == ["agent"]:
    agent_main(*sys.argv[2:])
else:
    sys.exit(main())
