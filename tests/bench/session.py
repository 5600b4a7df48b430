#!/usr/bin/env python3
"""Figures of a whole session beside tmux: session.py, run by `make bench` in the build folder.

CPU per byte of output of a detached terminal, memory per terminal, and the pause of a server
restart. Printed, never judged. $BENCH_ONLY names some of the parts.
"""
import os
import signal
import sys
import time

from hosts import (BUILD, MEBIBYTE, SIZES, STREAMS, Session, Tmux, cpu_seconds, figure, resident_kib,
                   run_parts, until)


# --- CPU per byte ---

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


PARTS = {"cpu": bench_cpu, "memory": bench_memory, "restart": bench_restart}


sys.exit(run_parts(PARTS, ("cpu", "memory")))
