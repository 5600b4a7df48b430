#!/usr/bin/env python3
"""Hold more connections to a session's server than it has room for, until killed, ten minutes at most.

usage: crowd.py SOCKET idle|busy

idle: nothing is said on any of them. busy: on each the terminal `hog` is waited for, for ever. Prints `holds`
when all are made, before that how many were refused, and in which words.
"""
import json
import resource
import signal
import socket
import sys

COUNT = 1100
REQUESTS = [("terminal.wait_state", {"name": "hog", "state": "awaiting", "timeout_ms": 0}), ("server.info", {})]


def refusal(sock):
    """Wait for the state, then ask what is answered at once: its answer says that the wait is open."""
    try:
        for number, (method, params) in enumerate(REQUESTS):
            sock.sendall(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n")
    except OSError:
        pass  # refused already: the words are there to be read
    answer = json.loads(sock.makefile().readline())
    return answer["error"]["message"] if "error" in answer else None


def main():
    signal.alarm(600)  # a case that fails does not come to killing it
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    held, refused = [], []
    for _ in range(COUNT if hard == resource.RLIM_INFINITY else min(COUNT, hard - 40)):
        sock = socket.socket(socket.AF_UNIX)
        sock.connect(sys.argv[1])
        held.append(sock)
        if sys.argv[2] == "busy":
            refused += filter(None, [refusal(sock)])
    if refused:
        print(len(refused), "refused:", refused[0])
    print("holds", flush=True)
    signal.pause()


main()
