#!/usr/bin/env python3
"""readers.py wait|channel BELLHOP OUT SEED: the reader of a terminal, as its child. Starts `bellhop wait`
(two at a time) or `bellhop channel` again and again, and kills some of them at random moments, until
there is a file OUT.calm. What was printed whole is appended to OUT, one number of a message per line.
Ends when there is a file OUT.end."""
import json
import os
import random
import select
import subprocess
import sys
import time


def note(out, line):
    """A line that a reader printed: whole, or cut off by its death."""
    try:
        answer = json.loads(line)
    except ValueError:
        return []
    seqs = [m["seq"] for m in answer["messages"]] if "messages" in answer else [answer["seq"]]
    for seq in seqs:
        out.write(f"{seq}\n")
    out.flush()
    return seqs


def is_over():
    return os.path.exists(sys.argv[3] + ".end")


def fate():
    """When a reader is to be killed; None: not at all."""
    if os.path.exists(sys.argv[3] + ".calm") or random.random() < 0.3:
        return None
    return time.monotonic() + random.random() * 0.15


def read_by_waits(bellhop, out):
    waits = []
    while not is_over() or waits:
        while len(waits) < 2 and not is_over():
            child = subprocess.Popen([bellhop, "wait", "--json", "--timeout", "2s"],
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            waits.append((child, fate()))
        # Some die of their first word: it is printed, and maybe not confirmed yet.
        spoken = select.select([wait[0].stdout for wait in waits], [], [], 0.005)[0]
        for wait in list(waits):
            child, kill_at = wait
            if kill_at is not None and child.stdout in spoken:
                child.kill()
            if kill_at is not None and time.monotonic() > kill_at:
                child.kill()
            if child.poll() is not None:
                note(out, child.stdout.read())
                waits.remove(wait)


def read_by_channel(bellhop, out):
    while not is_over():
        child = subprocess.Popen([bellhop, "channel", "--lease", "1s"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1)
        kill_at = fate()
        while not is_over() and child.poll() is None:
            if kill_at is not None and time.monotonic() > kill_at:
                break
            if not select.select([child.stdout], [], [], 0.02)[0]:
                continue
            for seq in note(out, child.stdout.readline()):
                if random.random() < 0.98:  # else it was forgotten
                    try:
                        child.stdin.write(json.dumps({"ack": f"m{seq}"}) + "\n")
                    except BrokenPipeError:
                        pass
        child.kill()
        child.wait()


random.seed(int(sys.argv[4]))
with open(sys.argv[3], "a", encoding="ascii") as numbers:
    reader = read_by_waits if sys.argv[1] == "wait" else read_by_channel
    reader(sys.argv[2], numbers)
os._exit(0)
