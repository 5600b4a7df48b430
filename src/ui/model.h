/** @file
 * What the UI knows of the session: tabs and panes, terminals and their states, mail. Fed by the
 * answer of events.subscribe and by notifications (doc/PROTOCOL.md sections 10 and 11); it decides
 * nothing and asks for nothing. Pure.
 */
#ifndef BH_UI_MODEL_H
#define BH_UI_MODEL_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Sizes of the texts that are kept, NUL included; longer ones are cut. */
#define BH_MODEL_ID 40
#define BH_MODEL_NAME 80
#define BH_MODEL_WORD 24
#define BH_MODEL_TEXT 256

/** A pane of a tab. Places are of what its program draws, in the session's area. */
struct bh_model_pane {
	/** The terminal that it shows. */
	char terminal_id[BH_MODEL_ID];
	/** Its upper left cell, from 0; its title line is the row above. */
	int row, col;
	/** Its size; 0 rows when there is no room. */
	int rows, cols;
	/** False while another pane of the tab is zoomed. */
	bool is_visible;
	/** The terminal's name, also when its program has ended and it is no terminal of the model. */
	char identity[BH_MODEL_NAME];
};

/** A tab. */
struct bh_model_tab {
	/** Its id, and its place from 1. */
	int id, index;
	/** Its name, never empty. */
	char name[BH_MODEL_NAME];
	bool is_active, is_last, is_zoomed;
	/** The terminal in focus. */
	char focus[BH_MODEL_ID];
	/** Its panes in reading order. */
	struct bh_model_pane *panes;
	size_t pane_count;
};

/** A terminal. */
struct bh_model_terminal {
	char id[BH_MODEL_ID];
	char identity[BH_MODEL_NAME];
	/** The words of the server: "working"; "done"; "draft"; the closed gate or "". */
	char state[BH_MODEL_WORD];
	char last_turn[BH_MODEL_WORD];
	char composer[BH_MODEL_WORD];
	char reason[BH_MODEL_WORD];
	/** The agent's profile, "" for a program that is none. */
	char profile[BH_MODEL_NAME];
	/** The profile of an agent that somebody typed into it, a shell; "" for none. */
	char watched[BH_MODEL_NAME];
	char program[BH_MODEL_NAME];
	char title[BH_MODEL_TEXT];
	/** What the server says for its border ("typing mail"), or "". */
	char note[BH_MODEL_TEXT];
	/** When the state that it has began, as far as we saw (bh_clock_mono_ms()). */
	uint64_t state_at_ms;
	/** It finished a turn while nobody looked. */
	bool is_done_unseen;
	/** Mail: unread, waiting to be typed, notices used up, why it waits. */
	int unread, queued;
	bool is_parked;
	char mail_reason[BH_MODEL_WORD];
	/** Another number with each word of the server about it: state, title, note, mail. */
	uint64_t news;
};

/** Mail of a name that has no terminal now, the operator's too. */
struct bh_model_mailbox {
	char name[BH_MODEL_NAME];
	int unread;
};

/** The session. Zero-initialise; end with bh_model_clear(). */
struct bh_model {
	/** Of the layout: it grows with every change. */
	uint64_t version;
	/** The last number of a terminal's `news`. */
	uint64_t news;
	/** Cells of the session's area. */
	int area_cols, area_rows;
	/** The UI that was used last, by its number; 0: none. */
	int latest_client;
	/** In their order. */
	struct bh_model_tab *tabs;
	size_t tab_count;
	/** Living ones, in order of creation. */
	struct bh_model_terminal *terminals;
	size_t terminal_count;
	/** Mailboxes of names without a terminal, as far as they had mail since we listen. */
	struct bh_model_mailbox *mailboxes;
	size_t mailbox_count;
	/** Whom the last BH_MODEL_ATTENTION was about: a terminal's id. */
	char attention[BH_MODEL_ID];
	/** The server's newest sentence for the status line; "" for none. */
	char notice[BH_MODEL_TEXT];
};

/** What a notification was about. */
enum bh_model_change {
	/** Nothing that we show. */
	BH_MODEL_NOTHING = 0,
	/** Tabs or panes. */
	BH_MODEL_LAYOUT = 1,
	/** Terminals, their states, titles, notes, mail. */
	BH_MODEL_TERMINALS = 2,
	/** `notice` is new. */
	BH_MODEL_NOTICE = 4,
	/** An agent began to wait for a person, or finished, where nobody sees it. */
	BH_MODEL_ATTENTION = 8,
};

/** Free; usable again. */
void bh_model_clear(struct bh_model *model);

/** Begin anew with the result of events.subscribe, or the params of events.resync. */
void bh_model_begin(struct bh_model *model, const cJSON *state, uint64_t now_ms);

/** Take a layout object. */
void bh_model_take_layout(struct bh_model *model, const cJSON *layout);

/**
 * Take a notification. What it does not know it ignores; what is malformed changes nothing.
 *
 * @return Bits of enum bh_model_change.
 */
unsigned bh_model_take(struct bh_model *model, const char *method, const cJSON *params,
                       uint64_t now_ms);

/** The active tab, NULL when there are no tabs. Borrowed until the next change. */
const struct bh_model_tab *bh_model_active(const struct bh_model *model);

/** The pane in focus of the active tab, or NULL. */
const struct bh_model_pane *bh_model_focus(const struct bh_model *model);

/** The pane of a terminal in a tab, or NULL. */
const struct bh_model_pane *bh_model_pane_of(const struct bh_model_tab *tab, const char *id);

/** A terminal by its id, or NULL. */
const struct bh_model_terminal *bh_model_terminal(const struct bh_model *model, const char *id);

/** The tab with the pane of a terminal, or NULL. */
const struct bh_model_tab *bh_model_tab_of(const struct bh_model *model, const char *id);

/** Whether a terminal can be seen now: in a visible pane of the active tab. */
bool bh_model_is_seen(const struct bh_model *model, const char *id);

/** Unread mail of a name without a terminal; 0 when none is known. */
int bh_model_unread_of(const struct bh_model *model, const char *name);

/** Whether a terminal's program is an agent. */
bool bh_model_is_agent(const struct bh_model_terminal *terminal);

/** How much a terminal wants a person: 3 awaiting, 2 done and not seen, 1 working, 0 else. */
int bh_model_urgency(const struct bh_model_terminal *terminal);

/** The agent that needs a person most; among equals the one after @after in the list, which itself
 * comes last. NULL when none does. */
const struct bh_model_terminal *bh_model_next_needing(const struct bh_model *model,
                                                      const char *after);

#endif
