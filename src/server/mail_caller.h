/** @file
 * Whose mail a request is about: the caller's names, or for a person a named mailbox. And the few
 * things that all mail methods do alike.
 */
#ifndef BH_SERVER_MAIL_CALLER_H
#define BH_SERVER_MAIL_CALLER_H

#include "src/mail/request.h"
#include "src/server/chain.h"
#include "src/server/rpc.h"

#include <stdbool.h>
#include <stddef.h>

/** Most names of one caller. */
#define BH_MAIL_CALLER_NAMES_MAX 32

/** The caller of a mail method. Names are borrowed until the store's next change. */
struct bh_mail_caller {
	/** As which it speaks. */
	const char *name;
	/** Its mailboxes, or the one that a person named. */
	const char *names[BH_MAIL_CALLER_NAMES_MAX];
	/** How many. */
	size_t name_count;
	/** What kind of sender it is. */
	enum bh_sender sender;
	/** Its terminal, or its registration; NULL for a person. */
	const struct bh_uuid *terminal_id;
	/** The same as text; "" for a person. */
	char terminal[BH_UUID_TEXT];
	/** Known by its token alone. */
	bool is_by_token;
	/** A person. */
	bool is_operator;
};

/**
 * Who calls. For a person the optional parameter `name` chooses another mailbox than the operator's;
 * an agent that gives it is refused.
 *
 * @return
 *         false: the request was failed (`external`, `not_found`, `operator_only`).
 */
bool bh_mail_caller_of(struct bh_request *request, struct bh_mail_caller *caller_out);

/** As bh_mail_caller_of() for a method without `name` of a mailbox: who runs inside a terminal. A
 * person is refused: only the program in a terminal can do this. */
bool bh_mail_caller_inside(struct bh_request *request, struct bh_mail_caller *caller_out);

/** As bh_mail_caller_of() for a method whose parameters name no mailbox. */
bool bh_mail_caller_self(struct bh_request *request, struct bh_mail_caller *caller_out);

/**
 * Read the chain of processes from a caller inside up to its terminal's child, or from a program
 * outside up to the process that stands for it.
 *
 * @return
 *         Whether the program in the terminal still stands behind it: a caller that was cut off from
 *         it, its parents gone, reads for nobody.
 */
bool bh_mail_caller_stands(struct bh_request *request, struct bh_chain *chain_out);

/** Fail with the word of the contract for an error of the store; @conflict is the word for
 * BH_EEXISTS. */
void bh_mail_fail(struct bh_request *request, const struct bh_err *err, const char *conflict);

/** Add how a message stands: `state`, `seen_how` and `seen_at` once it was seen, of a room `counts`. */
void bh_mail_standing_add(cJSON *json, const struct bh_message *message);

/** Fail because somebody could not have the name @name; `identity_taken` says by whom. */
void bh_mail_fail_name(struct bh_request *request, const char *name, const struct bh_err *err);

/** A message object of the protocol. With @state it has the member `state`. */
cJSON *bh_mail_message_json(const struct bh_message *message, bool has_state);

/** Add `more` to a page of messages, and, of one from the new end, where the next one goes on. */
void bh_mail_page_json(cJSON *result, const struct bh_answer *answer, bool is_newest);

/** An array of message objects. */
cJSON *bh_mail_messages_json(const struct bh_message *messages, size_t count, bool has_state);

#endif
