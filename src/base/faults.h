/** @file
 * The error words of the protocol, a part of the words of src/base/words.h, which includes it.
 */
#ifndef BH_BASE_FAULTS_H
#define BH_BASE_FAULTS_H

/** Error words (doc/PROTOCOL.md section 3): X(NAME, word, JSON-RPC code, what to do). */
#define BH_FAULT_LIST(X) \
	X(PARSE, "parse", -32700, "the line is not JSON") \
	X(REQUEST, "request", -32600, "the line is no JSON-RPC request") \
	X(METHOD, "method", -32601, "this server has no such method") \
	X(PARAMS, "params", -32602, "a parameter is missing or of the wrong kind") \
	X(INTERNAL, "internal", -32603, "a bug or a system error; see the server's log") \
	X(LIMIT, "limit", -32000, "a limit was exceeded; nothing was stored") \
	X(BUSY, "busy", -32000, "the server has too much to do; nothing was stored, try again") \
	X(NOT_FOUND, "not_found", -32000, "there is no such thing; see `bellhop list`") \
	X(AMBIGUOUS, "ambiguous", -32000, "more than one terminal begins so; give more digits") \
	X(EXITED, "exited", -32000, "the program of this terminal has ended") \
	X(INVALID, "invalid", -32000, "a value is not acceptable; the message says which") \
	X(IDENTITY_TAKEN, "identity_taken", -32000, "another holds this name; choose another") \
	X(IDENTITY_CONFLICT, "identity_conflict", -32000, \
	  "the kernel and the token name different terminals; unset BELLHOP_TOKEN") \
	X(UNVERIFIED, "unverified", -32000, \
	  "the caller runs inside bellhop but no terminal can be named for it") \
	X(EXTERNAL, "external", -32000, \
	  "not started by bellhop: `bellhop run` starts it there, `bellhop register` names it") \
	X(OPERATOR_ONLY, "operator_only", -32000, \
	  "only a person outside every terminal of bellhop may do this") \
	X(DENIED, "denied", -32000, "only an agent in a terminal of bellhop can do this") \
	X(UNSUPPORTED, "unsupported", -32000, "not by way of the spool, or not in this version") \
	X(CANNOT_RESUME, "cannot_resume", -32000, \
	  "this agent has no session here that it could go on with; the message says why") \
	X(EXEC_FAILED, "exec_failed", -32000, "the program could not be started") \
	X(TABLE_FULL, "table_full", -32000, "there are too many terminals; end some") \
	X(MESSAGE_ID_CONFLICT, "message_id_conflict", -32000, \
	  "the id is another message's; make a new one") \
	X(NOT_MEMBER, "not_member", -32000, "only members may do this; join the room first") \
	X(TASK_ENDED, "task_ended", -32000, "the task has ended; open another one") \
	X(NO_CHANNEL, "no_channel", -32000, \
	  "no channel is open that takes this; see `bellhop can-wake`") \
	X(VERSION, "version", -32000, \
	  "program and server are of different versions; `bellhop upgrade` restarts the server") \
	X(NO_ROOM, "no_room", -32000, "a pane would be too small") \
	X(NEEDS_CONFIRMATION, "needs_confirmation", -32000, "ask the person, then say `force`") \
	X(DISK, "disk", -32000, "the store could not write; nothing was stored")

#endif
