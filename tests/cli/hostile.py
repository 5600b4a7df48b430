#!/usr/bin/env python3
"""Say all kinds of nonsense to a session's server. Exit 0: it answers still.

usage: hostile.py SOCKET PROTOCOL.md SEED SECONDS
"""
import json
import random
import re
import socket
import struct
import sys
import time

# What would end the session on purpose.
SPARED = {"server.stop", "server.upgrade"}
NAMES = ["name", "argv", "identity", "cwd", "env", "environ", "cols", "rows", "respawn", "mode", "headless", "profile", "all",
         "format", "history", "text", "paste", "keys", "signal", "force", "state", "timeout_ms", "lines", "observe", "stream",
         "to", "body", "message_id", "reply_to", "task_id", "no_wait", "wait_seen_ms", "limit", "confirm", "after_seq",
         "with", "id", "ids", "event", "payload", "agent", "tab", "index", "preset", "direction", "cells", "which", "beside",
         "place", "policy", "zoom", "keep", "reverse", "focus", "show", "tab_name", "resize", "events"]


def deep(depth):
    return "[" * depth + "]" * depth


class Hostile:
    def __init__(self, path, methods, seed):
        self.path, self.methods, self.random = path, methods, random.Random(seed)
        self.connect()

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(self.path)

    def value(self):
        pick = self.random.choice
        return pick([
            lambda: None, lambda: True, lambda: 0, lambda: -1, lambda: 2**53, lambda: 1e308, lambda: 0.5, lambda: "",
            lambda: pick(["victim", "operator", "all", "#room", "../x", "a" * 70, "idle", "ansi", "json", "m1", "KILL?", "right",
                          "up", "next", "tiled", "latest", "smallest", "fixed"]),
            lambda: "x" * self.random.randrange(3000), lambda: "\ud83d\ude00\u202e\x1b[31m\x07", lambda: [], lambda: {},
            lambda: ["true"], lambda: [1, None], lambda: {"A": "b"}, lambda: {"A=": 1}, lambda: ["Enter", "C-x", "nokey"],
        ])()

    def request(self):
        params = {name: self.value() for name in self.random.sample(NAMES, self.random.randrange(8))}
        if self.random.random() < 0.5:
            params["name"] = "victim"
        message = {"jsonrpc": "2.0", "id": self.random.randrange(1000), "method": self.random.choice(self.methods),
                   "params": params}
        if self.random.random() < 0.2:
            message["token"] = self.value()
        if self.random.random() < 0.1:
            message[self.random.choice(["id", "params", "method", "jsonrpc"])] = self.value()
        return json.dumps(message).encode("utf-8", "replace") + b"\n"

    def frame(self):
        payload = self.random.randbytes(self.random.randrange(64))
        if self.random.random() < 0.3:
            payload = struct.pack("<HH", self.random.randrange(65536), self.random.randrange(65536))
        return struct.pack("<BBHI", 0, self.random.randrange(9), self.random.randrange(4), len(payload)) + payload

    def noise(self):
        return self.random.choice([
            lambda: self.random.randbytes(self.random.randrange(200)) + b"\n",
            lambda: deep(self.random.choice([10, 100, 100000])).encode() + b"\n",
            lambda: self.request()[:self.random.randrange(60)] + b"\n",
            lambda: b'{"jsonrpc":"2.0","id":1,"method":"terminal.attach","params":{"name":"victim","observe":true}}\n',
            lambda: struct.pack("<BBHI", 0, 2, 1, 0xffffffff),
            lambda: b"\xff\xfe\x00" * 5,
            lambda: b"x" * (1 << 20) + b"y\n",
        ])()

    def turn(self):
        data = b"".join(self.random.choice([self.request, self.request, self.request, self.frame, self.noise])()
                        for _ in range(self.random.randrange(1, 20)))
        try:
            self.sock.sendall(data)
            self.sock.settimeout(0.02)
            while self.sock.recv(1 << 20):
                pass
            raise OSError("closed")
        except TimeoutError:
            self.sock.settimeout(60)
        except OSError:
            self.sock.close()
            self.connect()
        if self.random.random() < 0.1:
            self.sock.close()
            self.connect()


def answers(path):
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(60)
        sock.connect(path)
        sock.sendall(b'{"jsonrpc":"2.0","id":1,"method":"server.info"}\n')
        return json.loads(sock.makefile().readline())["result"]["pid"]


def main():
    path, protocol, seed, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    with open(protocol, encoding="utf-8") as file:
        methods = sorted(set(re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \|", file.read(), re.M)) - SPARED)
    assert len(methods) > 25, methods
    before = answers(path)
    hostile = Hostile(path, methods + ["none"], seed)
    end = time.monotonic() + seconds
    turns = 0
    while time.monotonic() < end:
        hostile.turn()
        turns += 1
    after = answers(path)
    print(f"{turns} turns, seed {seed}, server {before} -> {after}")
    return 0 if before == after else 1


sys.exit(main())
