/** @file
 * Every word and sentence of the delivery contract (doc/CONTRACT.md), once. The server answers
 * with them, the CLI's help, the MCP tools and the documents print them; a test compares doc/CONTRACT.md.
 * From each list come an enum, the words, and a const table. Sentences are templates: `{to}` is the recipient's name, `{act}` what bellhop will do ("type it"), `{cause}`,
 * `{until}`, `{way_out}` the clauses of the reason, `{detail}` whatever the caller adds.
 */
#ifndef BH_BASE_WORDS_H
#define BH_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/buf.h"
#include "src/base/faults.h"

/** States of an agent, in the order of enum bh_state (src/agent/judge.h): X(NAME, word, meaning). */
#define BH_STATE_LIST(X) \
	X(UNKNOWN, "unknown", "the evidence contradicts itself, is stale, or matches no rule") \
	X(STARTING, "starting", "the program runs; no composer has been proved yet") \
	X(IDLE, "idle", "a composer is proved and nothing runs") \
	X(WORKING, "working", "a turn, a tool, a retry or a background agent runs") \
	X(AWAITING, "awaiting", "a person must decide: permission, question, trust, login") \
	X(COMPLETED, "completed", "idle, and the last turn ended normally") \
	X(EXITED, "exited", "the program is gone; its status is kept")

/** How the last turn ended, in the order of enum bh_last_turn: X(NAME, word, meaning). */
#define BH_LAST_TURN_LIST(X) \
	X(NONE, "", "no turn was seen yet") \
	X(DONE, "done", "it ended normally") \
	X(INTERRUPTED, "interrupted", "a person stopped it") \
	X(ERROR, "error", "it ended in an error of the agent or its model")

/** `delivery_path`, one row per path. */
#define BH_PATH_LIST(X) \
	X(INBOX_ONLY, "inbox_only", "nothing carries it; it lies in the inbox") \
	X(WAITER, "waiter", "a wait that is open inside the recipient's terminal") \
	X(CHANNEL, "channel", "a native push route of the recipient") \
	X(TERMINAL, "terminal", "its text is typed into the recipient's terminal") \
	X(NOTICE, "notice", "one line without content, typed: you have mail") \
	X(ROOM, "room", "each member of the room gets it by its own path")

/** `terminal` and `notice`: X(NAME, word, meaning). NONE: the field is left out. */
#define BH_FATE_LIST(X) \
	X(NONE, "", "the field is left out") \
	X(TYPED, "typed", "typed, and proved to have become a turn") \
	X(QUEUED, "queued", "a promise to look again; nothing of it is on any screen") \
	X(JOINED, "joined", "a notice is already out for this unread mail") \
	X(PARKED, "parked", "the notices are used up; a person or a read frees it") \
	X(UNAVAILABLE, "unavailable", "there is no way to type it")

/** `will_be_seen`: X(NAME, word, meaning). */
#define BH_PROSPECT_LIST(X) \
	X(ALREADY, "already", "the text has been seen") \
	X(WHEN_FREE, "when_free", "bellhop acts by itself when the gate opens") \
	X(NEEDS_A_PERSON, "needs_a_person", "a person must act before the gate can open") \
	X(ONLY_IF_IT_LOOKS, "only_if_it_looks", "nothing will wake it; the mail waits in its inbox")

/**
 * `reason`, in the order in which the gates are tried: X(NAME, word, will_be_seen, cause, until,
 * way out). The cause is a main clause; `until` completes "bellhop will type it …"; the way out
 * completes "Do not wait for an answer; …".
 */
#define BH_REASON_LIST(X) \
	X(NONE, "", WHEN_FREE, "nothing is in the way", "at once", "look at the receipt") \
	X(UNKNOWN_RECIPIENT, "unknown_recipient", ONLY_IF_IT_LOOKS, \
	  "no agent ever used the name {to}", "when an agent takes that name", \
	  "check the name with `bellhop list`") \
	X(NO_TERMINAL, "no_terminal", ONLY_IF_IT_LOOKS, "{to} has no terminal now", \
	  "when {to} runs again", "start it with `bellhop run --name {to} -- PROGRAM`") \
	X(TYPING_OFF, "typing_off", ONLY_IF_IT_LOOKS, \
	  "bellhop does not type into the program that {to} runs", "when {to} looks", \
	  "{to} must read it with `bellhop inbox`") \
	X(DO_NOT_DISTURB, "do_not_disturb", WHEN_FREE, "{to} is not to be disturbed", \
	  "when that ends", "a person can end it") \
	X(BLOCKED_SENDER, "blocked_sender", ONLY_IF_IT_LOOKS, "{to} takes no mail from you", \
	  "when the block is lifted", "ask the operator") \
	X(STARTING, "starting", WHEN_FREE, "{to} is starting", "once {to} is idle", \
	  "look at the receipt") \
	X(WORKING, "working", WHEN_FREE, "{to} is working", "once {to} is idle", \
	  "look at the receipt") \
	X(AWAITING, "awaiting", NEEDS_A_PERSON, "{to} waits for a person's decision", \
	  "once a person has answered and {to} is idle", "ask the operator to look at {to}") \
	X(UNKNOWN_STATE, "unknown_state", WHEN_FREE, "bellhop cannot tell what {to} is doing", \
	  "once {to} is proved idle", "ask the operator to look at {to}") \
	X(LINE_MODE, "line_mode", NEEDS_A_PERSON, \
	  "{to}'s terminal reads whole lines, as a shell or a password prompt does", \
	  "once the agent itself reads the terminal", "ask the operator to look at {to}") \
	X(NOT_FOREGROUND, "not_foreground", WHEN_FREE, "another program holds {to}'s terminal", \
	  "once {to} has it back", "look at the receipt") \
	X(DIALOG, "dialog", NEEDS_A_PERSON, "a dialog, menu or pager is open in {to}'s terminal", \
	  "once it is closed and {to} is idle", "ask the operator to look at {to}") \
	X(DRAFT, "draft", NEEDS_A_PERSON, "a person's draft stands in {to}'s composer", \
	  "once the draft is sent or cleared", "ask the operator to look at {to}") \
	X(HUMAN_TYPING, "human_typing", WHEN_FREE, "a person is typing in {to}'s terminal", \
	  "once the keys have rested", "look at the receipt") \
	X(TYPING_NOW, "typing_now", WHEN_FREE, "bellhop is typing into {to}'s terminal just now", \
	  "as soon as that is done", "look at the receipt") \
	X(RATE_LIMITED, "rate_limited", WHEN_FREE, "you woke {to} too often in the last minute", \
	  "when the minute is over", "put more into fewer messages") \
	X(LOOP, "loop", ONLY_IF_IT_LOOKS, \
	  "this chain of messages went on too long without a person", "after a person has acted", \
	  "ask the operator to look at it and to `bellhop ring {to}`") \
	X(PARKED, "parked", ONLY_IF_IT_LOOKS, "{to} was told of its mail and did not read it", \
	  "when {to} reads its inbox, starts anew, or a person rings", \
	  "ask the operator to look at {to} or to `bellhop ring {to}`") \
	X(UNPROVED, "unproved", WHEN_FREE, \
	  "an attempt to type it to {to} could not be proved yet", \
	  "again only if its text is provably gone", "look at the receipt") \
	X(IN_AGENT_QUEUE, "in_agent_queue", WHEN_FREE, "{to}'s own queue holds the text", \
	  "no more: {to} takes it from its queue by itself", "look at the receipt") \
	X(UPDATE, "update", ONLY_IF_IT_LOOKS, "an update wakes nobody", \
	  "with the next mail of {to}, or when {to} looks", \
	  "send without a status if {to} must see it") \
	X(SUPERSEDED, "superseded", ONLY_IF_IT_LOOKS, \
	  "a newer update of the same task took its place", "in the history only", \
	  "look at the newer one") \
	X(DISCARDED, "discarded", ONLY_IF_IT_LOOKS, "a person threw it away", \
	  "in the history only", "ask the operator") \
	X(EMPTY_ROOM, "empty_room", ONLY_IF_IT_LOOKS, "nobody else is in {to}", \
	  "when somebody joins and looks at its history", \
	  "send to a name of `bellhop list`, or ask the operator")

/** What the answer to a send says, by case: X(NAME, template of `next`). */
#define BH_NEXT_LIST(X) \
	X(SEEN, "{to} has read it{detail}. " BH_WORDS_TAIL) \
	X(HANDED_OVER, \
	  "It was handed to {to}, which has not confirmed it yet; unconfirmed it goes " \
	  "the next way. Do not send it again.") \
	X(TYPED, "It became a turn of {to}{detail}. " BH_WORDS_TAIL) \
	X(QUEUED, "{cause}. bellhop will {act} {until}; if {to} exits first it stays in its " \
	          "inbox. Do not send it again. " BH_WORDS_TAIL) \
	X(NOTICE_TYPED, \
	  "{to} was told that it has mail and will read it in its turn. Do not send " \
	  "it again. " BH_WORDS_TAIL) \
	X(NOTICE_JOINED, "{to} was already told of its unread mail and gets this with the same " \
	                 "read. Do not send it again. " BH_WORDS_TAIL) \
	X(INBOX_ONLY, "{cause}. It is stored in {to}'s inbox and will be seen {until}. Do not " \
	              "send it again.") \
	X(ROOM, \
	  "It goes to each member of {to} by its own path: {detail}. `members` tells of each. " \
	  "Do not send it again. " BH_WORDS_TAIL) \
	X(ROOM_EMPTY, "{cause}. It is stored and will be seen {until}. Do not send it again.")

/** The end of a `next` that promises sight. */
#define BH_WORDS_TAIL "Seen is not done: ask for a reply if you need one."

/** `warning`: X(NAME of the will_be_seen, template). */
#define BH_WARNING_LIST(X) \
	X(NEEDS_A_PERSON, "This needs a person: {cause}. Do not wait for an answer; {way_out}.") \
	X(ONLY_IF_IT_LOOKS, \
	  "Nothing will wake {to} for this: {cause}. Do not wait for an answer; " \
	  "{way_out}{detail}.")

/** Steps of a receipt: X(NAME, word, meaning). Detail in brackets where the meaning names one. */
#define BH_STEP_LIST(X) \
	X(STORED, "stored", "safe on disk") \
	X(QUEUED, "queued", "waits for the gate (reason)") \
	X(NOTICED, "noticed", "a notice was typed (its number)") \
	X(HANDED_OVER, "handed_over", "given to a reader, not confirmed yet (by)") \
	X(TYPED, "typed", "typed and proved (by what)") \
	X(SEEN, "seen", "the text has been seen (how)") \
	X(RETURNED, "returned", "unread again (why)") \
	X(PARKED, "parked", "no more notices by itself") \
	X(UNPROVED, "unproved", "typed, but no proof was found (why)") \
	X(SUPERSEDED, "superseded", "a newer one about the same took its place (its number)")

/** Mode of a recipient, in the order of enum bh_mode (src/mail/identity.h). */
#define BH_MODE_LIST(X) \
	X(DEFAULT, "default", "message, or notice once it has started an agent") \
	X(MESSAGE, "message", "the text is typed") \
	X(NOTICE, "notice", "a notice is typed; the agent reads by itself") \
	X(OFF, "off", "nothing is typed")

/** Wake tiers: X(NAME, word, meaning). */
#define BH_TIER_LIST(X) \
	X(NONE, "NONE", "nothing wakes it; mail is durable") \
	X(CONDITIONAL, "CONDITIONAL", "works while the named condition holds") \
	X(GUARANTEED, "GUARANTEED", "idle and submission were both proved in this terminal")

/** Exit codes of the CLI: X(NAME, code, meaning). */
#define BH_EXIT_LIST(X) \
	X(OK, 0, "answered, and it will be seen") \
	X(FAILED, 1, "failed; nothing was stored or done") \
	X(USAGE, 2, "the command line is wrong") \
	X(NOT_WOKEN, 3, "stored, but nothing will wake the recipient, or a person is needed") \
	X(PENDING, 4, "stored, but not seen yet (only with --wait or --fail-unless seen)") \
	X(UNKNOWN, 5, "no answer came: whether it was stored or done is not known")

#define BH_PATH_ENUM(name, ...) BH_PATH_##name,
#define BH_FATE_ENUM(name, ...) BH_FATE_##name,
#define BH_PROSPECT_ENUM(name, ...) BH_PROSPECT_##name,
#define BH_REASON_ENUM(name, ...) BH_REASON_##name,
#define BH_NEXT_ENUM(name, ...) BH_NEXT_##name,
#define BH_STEP_ENUM(name, ...) BH_STEP_##name,
#define BH_TIER_ENUM(name, ...) BH_TIER_##name,
#define BH_FAULT_ENUM(name, ...) BH_FAULT_##name,
#define BH_EXIT_ENUM(name, code, meaning) BH_EXIT_##name = (code),

/** Each enum comes from the list of its name. */
enum bh_path {
	BH_PATH_LIST(BH_PATH_ENUM) BH_PATH_COUNT
};
/** What happened to the text or the notice. */
enum bh_fate {
	BH_FATE_LIST(BH_FATE_ENUM) BH_FATE_COUNT
};
/** Whether it will be seen. */
enum bh_prospect {
	BH_PROSPECT_LIST(BH_PROSPECT_ENUM) BH_PROSPECT_COUNT
};
/** Why not now. */
enum bh_reason {
	BH_REASON_LIST(BH_REASON_ENUM) BH_REASON_COUNT
};
/** The case of an answer. */
enum bh_next {
	BH_NEXT_LIST(BH_NEXT_ENUM) BH_NEXT_COUNT
};
/** A row of a receipt. */
enum bh_step {
	BH_STEP_LIST(BH_STEP_ENUM) BH_STEP_COUNT
};
/** How far waking is proved. */
enum bh_tier {
	BH_TIER_LIST(BH_TIER_ENUM) BH_TIER_COUNT
};
/** What went wrong with a request. */
enum bh_fault {
	BH_FAULT_LIST(BH_FAULT_ENUM) BH_FAULT_COUNT
};
/** How a command ended. */
enum bh_exit {
	BH_EXIT_LIST(BH_EXIT_ENUM)
};

/** The lists of plain words, for bh_word() and for printing all of one (help, documents). */
enum bh_vocabulary {
	BH_WORDS_STATE,
	BH_WORDS_LAST_TURN,
	BH_WORDS_PATH,
	BH_WORDS_FATE,
	BH_WORDS_PROSPECT,
	BH_WORDS_REASON,
	BH_WORDS_STEP,
	BH_WORDS_MODE,
	BH_WORDS_TIER,
	BH_WORDS_FAULT,
	BH_WORDS_COUNT
};

/** The word of @value in a list; "" for a value without a word or out of range. Static. */
const char *bh_word(enum bh_vocabulary list, int value);
/** What the word means, one line (of a reason: its cause, a template). Static, "" if none. */
const char *bh_word_meaning(enum bh_vocabulary list, int value);
/** The value of a word, or -1. "" is never found. */
int bh_word_find(enum bh_vocabulary list, const char *word);
/** Number of values in a list. */
int bh_word_count(enum bh_vocabulary list);
/** What a reason means for being seen, unless something makes it worse (src/wake/decide.h). */
enum bh_prospect bh_reason_prospect(enum bh_reason reason);

/** The JSON-RPC error code of an error word. */
int bh_fault_code(enum bh_fault fault);
/** The meaning of an exit code, or NULL. */
const char *bh_exit_meaning(int code);

/** What fills a sentence. NULL fields read as "". */
struct bh_sentence {
	/** The recipient's name. */
	const char *to;
	/** What bellhop will do, completing "bellhop will": "type it", "type a notice". */
	const char *act;
	/** Whose clauses are used. */
	enum bh_reason reason;
	/** The recipient is the operator: a person, who has clauses of its own. */
	bool is_person;
	/** Put where the template says {detail}; brings its own separator, as ", by its transcript". */
	const char *detail;
};

/** Append the `next` sentence of a case to @out. It begins with a capital, unless with a name. */
void bh_words_next(struct bh_buf *out, enum bh_next which, const struct bh_sentence *what);
/** Append the `warning`; nothing for a @seen that has none. True if something was appended. */
bool bh_words_warning(struct bh_buf *out, enum bh_prospect seen, const struct bh_sentence *what);

#endif
