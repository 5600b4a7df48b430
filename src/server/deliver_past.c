// A session that was resumed (`claude --continue`, `respawn --resume`) knows what an earlier terminal was
// told. Mail that was typed there, and is unread again because that terminal ended before its turn
// did, is not typed once more when the record of the session that runs now holds it.
#include "src/server/deliver_past.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/agent/proof.h"
#include "src/base/mem.h"
#include "src/server/deliver_station.h"
#include "term/strip.h"

/** Most messages that one look seeks: what one submission held, and more. */
#define LOOK_BACK_MAX 16
/** Most unread messages of a name that are looked through for one that was typed. */
#define ITEMS_MAX 4096
/** The transcript of a session may come so long after its composer (ms). */
#define TRANSCRIPT_MS 20000
/** While it is waited for it is looked at so often (ms). */
#define TRANSCRIPT_LOOK_MS 250
/** The proof in the receipt `typed`. */
#define PAST_PROOF "resumed session's record"

/** A message that the record holds, on its way to be marked seen. */
struct past {
	struct bh_station *station;
	struct bh_station_mail mail;
};

static void on_marked(void *user, const struct bh_answer *answer)
{
	struct past *past = user;
	struct bh_station *station = past->station;

	station->pending--;
	if (answer->err.code == 0) {
		bh_deliver_seen(station->deliver, &past->mail, 1, BH_PATH_TERMINAL, "record");
	}
	free(past);
	(void)bh_station_release(station);
}

/** Mark a message seen. If the store does not take it, it is typed again: nothing is lost. */
static void past_mark(struct bh_station *station, const struct bh_message *message)
{
	const char *const names[] = {message->mailbox};
	struct past *past = bh_xmalloc(sizeof(*past));
	char ref[24];

	*past = (struct past){.station = station, .mail = {.seq = message->seq}};
	memcpy(past->mail.mailbox, message->mailbox, BH_IDENTITY_SIZE);
	(void)snprintf(ref, sizeof(ref), "m%" PRIu64, message->seq); // it fits
	if (bh_store_ack(station->deliver->store,
	                 &(struct bh_ack){.names = names,
	                                  .name_count = 1,
	                                  .ref = ref,
	                                  .how = BH_SEEN_TYPED,
	                                  .proof = PAST_PROOF},
	                 on_marked, past, NULL) != 0) {
		free(past);
		return;
	}
	station->pending++;
}

/** Whether the record of the session holds the message, as it is typed. */
static bool past_holds(const struct bh_deliver_view *view, const struct bh_message *message)
{
	const struct bh_proof_now now = {.screen = view->screen, .record = view->session_record};
	struct bh_buf text = {0};
	char mark[BH_COMPOSE_MARK_SIZE];
	size_t len = 0;
	char *safe;
	bool is_held;

	bh_compose_message_mark(message->seq, mark);
	bh_compose_mail(&text, message, 1);
	safe = bh_strip_message(text.data, text.len, &len);
	is_held =
		bh_proof_holds(view->proof,
	                       &(struct bh_typed_text){
				       .mark = mark, .text = safe, .typed_ms = message->created_ms},
	                       &now);
	free(safe);
	bh_buf_clear(&text);
	return is_held;
}

/** The number of the newest unread message that was typed before; 0: none. */
static uint64_t past_newest(const struct bh_station *station)
{
	const struct bh_store *store = station->deliver->store;
	const struct bh_terminal_record *record = bh_store_terminal(store, station->id);
	const struct bh_mailbox *name = NULL;
	uint64_t newest = 0;

	while (record != NULL && (name = bh_store_next_name(record, name)) != NULL) {
		const struct bh_item *item =
			name->typed_before == 0 ? NULL : bh_mailbox_first_unread(name);

		for (unsigned i = 0; item != NULL && i < ITEMS_MAX; i++) {
			if (item->is_shown_before && item->typings > 0 && item->seq > newest) {
				newest = item->seq;
			}
			item = bh_mailbox_next_unread(item);
		}
	}
	return newest;
}

static void on_peeked(void *user, const struct bh_answer *answer)
{
	struct bh_station *station = user;
	uint64_t before = station->past_seq;
	struct bh_deliver_view view;

	station->pending--;
	station->is_looking_back = false;
	station->past_seq = past_newest(station);
	if (answer->err.code == 0 && !station->is_gone && bh_station_view(station, &view)) {
		for (size_t i = 0; i < answer->message_count; i++) {
			const struct bh_message *message = &answer->messages[i];

			if (message->seq > before && message->is_shown_before &&
			    message->typings > 0 && past_holds(&view, message)) {
				past_mark(station, message);
			}
		}
	}
	bh_station_act(station);
}

/** Whether the screen does not show yet which session runs, and nothing else tells. */
static bool past_is_to_come(struct bh_station *station)
{
	uint64_t now_ms = station->deliver->host->now_ms(station->deliver->user);
	struct bh_deliver_view view;

	if (station->past_wait_ms == 0) {
		station->past_wait_ms = now_ms + TRANSCRIPT_MS;
	}
	if (now_ms >= station->past_wait_ms || !bh_station_view(station, &view) ||
	    view.session_record != NULL || !bh_proof_awaits_transcript(view.profile, view.screen)) {
		return false;
	}
	station->retry_ms = now_ms + TRANSCRIPT_LOOK_MS;
	return true;
}

bool bh_station_looks_back(struct bh_station *station)
{
	struct bh_take take = {.terminal = station->id, .limit = LOOK_BACK_MAX};

	if (station->is_looking_back) {
		return true;
	}
	if (past_newest(station) <= station->past_seq) {
		return false;
	}
	if (past_is_to_come(station)) {
		return true;
	}
	if (bh_store_peek(station->deliver->store, &take, on_peeked, station, NULL) != 0) {
		return false;
	}
	station->is_looking_back = true;
	station->pending++;
	return true;
}
