#!/usr/bin/env python3
"""A server that closes the connection whenever mail is sent, and answers all else: deaf.py SOCKET STORED.

Prints each request, method and parameters. STORED: `yes`: a receipt says that the message is there; `late`:
then a send is answered, too; `no`: there is no receipt.
"""
import json
import os
import socket
import sys


def answer(request, stored, asked):
    """The answer to a request; None: close the connection."""
    method = request["method"]
    if method == "message.send":
        if stored == "late" and asked:
            return {"result": {"will_be_seen": "when_free", "delivered": False, "delivery_path": "terminal",
                               "terminal": "queued", "reason": "working", "next": "It waits.", "seq": 7,
                               "idempotent_replay": True, "message_id": request["params"]["message_id"],
                               "to": "coder", "recipient": {"known": True}}}
        return None
    if method == "mail.receipt":
        asked.append(request["params"]["id"])
        if stored == "no":
            return {"error": {"code": -32000, "message": "no such message", "data": {"word": "not_found"}}}
        return {"result": {"id": "m7", "seq": 7, "message_id": asked[0], "steps": []}}
    return {"result": {}}


def main():
    path, stored = sys.argv[1:]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    os.chmod(path, 0o600)
    listener.listen(8)
    asked = []
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        with connection, connection.makefile("rwb") as stream:
            for line in stream:
                request = json.loads(line)
                print(request["method"], json.dumps(request["params"]), flush=True)
                reply = answer(request, stored, asked)
                if reply is None:
                    break
                reply.update({"jsonrpc": "2.0", "id": request["id"]})
                stream.write(json.dumps(reply).encode() + b"\n")
                stream.flush()


main()
