/** @file
 * Internal to delivery (deliver*.c): what is kept per terminal, its station. Everybody else uses
 * deliver.h.
 */
#ifndef BH_SERVER_DELIVER_STATION_H
#define BH_SERVER_DELIVER_STATION_H

#include "src/base/list.h"
#include "src/mail/map.h"
#include "src/mail/store.h"
#include "src/server/deliver.h"
#include "src/server/deliver_channel.h"
#include "src/server/deliver_guard.h"
#include "src/wake/budget.h"
#include "src/wake/compose.h"
#include "src/wake/decide.h"
#include "src/wake/typist.h"

/** While mail is queued every terminal is looked at again after so long (ms). */
#define BH_DELIVER_SWEEP_MS 30000
/** An attempt that ended without a proof is not begun again for so long (ms). */
#define BH_DELIVER_RETRY_MS 500
/** A write waits until so many outputs were read. A program that never rests is judged then. */
#define BH_DELIVER_DEFERS_MAX 4
/** Output that is not read for so long ends the attempt before the write (ms). */
#define BH_DELIVER_DEFER_MS 1000
/** An unconfirmed hand-over to a waiter counts so long (ms). */
#define BH_DELIVER_WAITER_LEASE_MS 2000
/** An unconfirmed read counts so long (ms). */
#define BH_DELIVER_READ_LEASE_MS 10000
/** The answer to a send is held at most so long (ms). */
#define BH_DELIVER_HOLD_MS 8000
/** A person's key or a resize disturbs for so long (ms). */
#define BH_DELIVER_DISTURBED_MS 3000
/** A turn that was proved but never seen to work is taken for ended after so long (ms). */
#define BH_DELIVER_TURN_MS 10000

/** Delivery of one session. */
struct bh_deliver {
	/** The server, or a fake. */
	const struct bh_deliver_host *host;
	/** Argument of its functions. */
	void *user;
	/** The mail. */
	struct bh_store *store;
	/** Stations (struct bh_station.link). */
	struct bh_list stations;
	/** The same by terminal. */
	struct bh_map by_terminal;
	/** Sends and rings that wait for their answer (deliver_send.c). */
	struct bh_list sends;
	/** Waits that ended and are to be told so (struct bh_waiter.link, deliver_read.c). */
	struct bh_list ended;
	/** What the guards remember. */
	struct bh_guard_book *guards;
	/** Open channels, and closed ones that are to be told so (deliver_channel.c). */
	struct bh_list channels;
	struct bh_list channels_ended;
	/** Steers that wait for an acknowledgement, and the number of the last. */
	struct bh_list steers;
	uint64_t last_steer;
	/** When all stations are looked at again; 0: nothing is queued. */
	uint64_t sweep_ms;
	/** Somebody may have to be told something: the next tick is due at once. */
	bool is_hurried;
	/** No new work. */
	bool is_stopping;
};

/** One message of an attempt. */
struct bh_station_mail {
	/** The mailbox it stands in. */
	char mailbox[BH_IDENTITY_SIZE];
	/** Its number. */
	uint64_t seq;
};

/** A terminal that delivery has to do with. */
struct bh_station {
	/** In bh_deliver.stations. */
	struct bh_list link;
	/** Whose. */
	struct bh_deliver *deliver;
	/** The terminal. */
	struct bh_uuid terminal;
	/** Its id as text, as the store knows it. */
	char id[BH_UUID_TEXT];
	/** Its child is gone; freed once no request of ours is under way. */
	bool is_gone;
	/** Requests to the store under way that name this station. */
	unsigned pending;

	/** The typist of the attempt that runs, and its rules. */
	struct bh_typist typist;
	struct bh_typist_rules rules;
	/** TYPING or NOTICE. */
	enum bh_claim_kind kind;
	/** The claim of the attempt; 0: none. */
	uint64_t claim_id;
	/** Its phase on disk. */
	enum bh_phase phase;
	/** The terminal took the paste of this attempt. */
	bool is_pasted;
	/** A commit before a write is done; the write waits for output to be read first. */
	bool is_deferred;
	/** Since when, how many outputs were read since, and when the last one was. */
	uint64_t deferred_ms;
	unsigned deferred;
	uint64_t deferred_output_ms;
	/** The CR is written, and people's keys are held until this time, or until the program has
	 * taken it (release_ms of the profile); 0: they are not. */
	uint64_t linger_ms;
	/** Nothing is begun before this time. */
	uint64_t retry_ms;
	/** The program had unread input when mail was due: nothing tells when it reads. */
	bool is_unread_seen;
	/** It began before this start of the server. */
	bool is_late;
	/** The request for the messages of such an attempt is under way. */
	bool is_recovering;
	/** Mail up to this number was sought in the record of the session; a look is under way. */
	uint64_t past_seq;
	bool is_looking_back;
	/** Before such a look a transcript is waited for until this time; 0: it was not yet needed. */
	uint64_t past_wait_ms;
	/** What is typed (safe), and how it begins. NULL: nothing. */
	char *text;
	char mark[BH_COMPOSE_MARK_SIZE];
	/** The mail in it. */
	struct bh_station_mail *mail;
	size_t mail_count;

	/** Since when the turn that took mail last runs; 0: it has ended. Whether it was seen to work. */
	uint64_t turn_ms;
	bool has_turn_worked;
	/** Requests of the guards are under way: the end of a turn or of a wish, a person's act. */
	bool is_observing;
	bool is_person_told;
	/** The newest message when the store was told of a person last; 0: it was not since the start. */
	uint64_t person_seq;

	/** The account of the notice with this number, and whether its parking is under way. */
	struct bh_budget budget;
	uint64_t budget_notice_id;
	bool is_parking;

	/** Last closed gate that receipts were told, and the newest mail then. */
	enum bh_reason noted;
	uint64_t noted_seq;

	/** Evidence for the tier, see struct bh_tier_evidence. */
	int64_t idle_proved_ms;
	int64_t submission_proved_ms;
	int64_t read_proved_ms;
	unsigned unproved;

	/** Open waiters, the newest last (struct bh_waiter.link). */
	struct bh_list waiters;
	/** Claim that was handed to a waiter and not confirmed yet; 0: none. */
	uint64_t handed_claim;
	/** A take for a waiter is under way. After one that failed: none before this time. */
	bool is_handing;
	uint64_t hand_ms;

	/** Its channel, or NULL. */
	struct bh_channel *channel;
	/** When a channel of it last acknowledged mail (wall clock, ms); 0: never. */
	int64_t channel_proved_ms;
	/** A channel of it was closed because it acknowledged nothing, and none has since. */
	bool has_channel_failed;
};

/* ---- deliver_station.c ------------------------------------------------------------------------ */

/** The station of a terminal; made if there is none. */
struct bh_station *bh_station_get(struct bh_deliver *deliver, const struct bh_uuid *terminal);

/** The station of a terminal, or NULL. */
struct bh_station *bh_station_find(const struct bh_deliver *deliver,
                                   const struct bh_uuid *terminal);

/** The station of the terminal that backs a mailbox now, or NULL when none is alive. */
struct bh_station *bh_station_of(struct bh_deliver *deliver, const struct bh_mailbox *mailbox);

/** Free it if it is gone and nothing is under way. True: it was freed. */
bool bh_station_release(struct bh_station *station);

/** Free it whatever is under way (the store is closed). */
void bh_station_free(struct bh_station *station);

/** Forget the text and mail of the attempt. */
void bh_station_forget(struct bh_station *station);

/** The terminal as it is now; false when it is gone. */
bool bh_station_view(const struct bh_station *station, struct bh_deliver_view *view_out);

/** What bh_decide() must know about a mailbox. @station and @view are NULL without a terminal. */
struct bh_situation bh_station_situation(struct bh_deliver *deliver,
                                         const struct bh_mailbox *mailbox,
                                         struct bh_station *station,
                                         const struct bh_deliver_view *view);

/** What the typist must know. @view is NULL when the terminal is gone. */
struct bh_sight bh_station_sight(struct bh_station *station, const struct bh_deliver_view *view);

/** The oldest unread message under all names of the terminal, or NULL. */
const struct bh_item *bh_station_head(const struct bh_station *station);

/** Whether something older in its mailbox is held, by a reader or an attempt. Nothing overtakes that: the
 * store gives it to no typing and no channel. When it is settled the mailbox has changed. */
bool bh_station_is_behind(const struct bh_item *item);

/** Release people's keys and resizes, and take the note away. */
void bh_station_let_go(struct bh_station *station);

/** Release what is held behind a CR, when the program has taken that or its time is over. */
void bh_station_let_go_when_due(struct bh_station *station);

/** Whether a typing attempt runs whose outcome is near (not lost, not in the agent's queue). */
bool bh_station_is_typing(const struct bh_station *station);

/* ---- deliver_type.c --------------------------------------------------------------------------- */

/** Look at the terminal and do what is due: type, hand over, park, note. The level trigger. */
void bh_station_act(struct bh_station *station);

/** Take up an attempt that a crash cut, if there is one. */
void bh_station_recover(struct bh_station *station);

/* ---- deliver_read.c --------------------------------------------------------------------------- */

/** The newest waiter that still lives; dead ones are dropped. NULL: none. */
struct bh_waiter *bh_station_waiter(struct bh_station *station);

/** When the first of its waits times out; 0: it has none. */
uint64_t bh_station_waits_until(const struct bh_station *station);

/** Give unread mail to the newest waiter. */
void bh_station_hand_over(struct bh_station *station);

/** A hand-over to a waiter that is under way. */
struct bh_handing;

/**
 * Begin a hand-over whose take goes to the store with something else (the message itself). NULL
 * when there is no waiter, or one is under way. Ends in bh_station_handed() or
 * bh_station_unreserve().
 */
struct bh_handing *bh_station_reserve(struct bh_station *station, struct bh_take *take_out);

/** What the take has brought goes to the waiter. From the loop only. */
void bh_station_handed(struct bh_handing *handing, const struct bh_reading *reading);

/** The take did not go to the store. */
void bh_station_unreserve(struct bh_handing *handing);

/** End its waiters: they hear that they timed out. */
void bh_station_end_waiters(struct bh_station *station);

/** Tell waits that ended, and those whose time is over. From the loop only. */
void bh_deliver_end_waits(struct bh_deliver *deliver, uint64_t now_ms);

/* ---- deliver_send.c --------------------------------------------------------------------------- */

/** Mail was seen: sends that wait for it are to be answered. @proof NULL unless typed. */
void bh_deliver_seen(struct bh_deliver *deliver, const struct bh_station_mail *mail, size_t count,
                     enum bh_path path, const char *proof);

/** A notice was typed and proved in the terminal of these mailboxes' station. */
void bh_deliver_rung(struct bh_station *station);

/** Answer what can be answered. From the loop only. */
void bh_deliver_answer_sends(struct bh_deliver *deliver, uint64_t now_ms);

/** When the first of them is answered whatever is known; 0: none waits. */
uint64_t bh_deliver_sends_next_ms(const struct bh_deliver *deliver);

/* ---- deliver.c -------------------------------------------------------------------------------- */

/**
 * Set the host's timer for what is due next.
 *
 * What went as little on as before (the store gave nothing, the disk refused) ends in this one: it is
 * tried again at its time. Only what is new ends in one of the two below; else delivery would go round
 * in a circle as fast as it can.
 */
void bh_deliver_schedule(struct bh_deliver *deliver);

/** The same, after something happened that the answer to a send may hang on: those that wait are
 * looked at from the loop, at once. */
void bh_deliver_stir(struct bh_deliver *deliver);

/** The same, when there is something to be told from the loop, to whomever. */
void bh_deliver_hurry(struct bh_deliver *deliver);

#endif
