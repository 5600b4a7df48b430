#include "src/ui/mailview.h"

#include "src/base/mem.h"
#include "src/client/mail_text.h"
#include "src/ui/keytable.h"
#include "src/ui/panel.h"
#include "src/ui/textview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/** Newest messages of a mailbox that are listed. */
#define MESSAGES_MAX 200
/** The mailbox of a person. */
#define OPERATOR "operator"
/** Columns of a mailbox's name, of a message's number, of its peer and of its state. */
#define NAME_COLS 22
#define ID_COLS 7
#define PEER_COLS 16
#define STATE_COLS 9
/** Columns of a time ("11-30 23:45"). */
#define TIME_COLS 12
/** Room for a time. */
#define TIME_SIZE 40
/** Bytes of a message's first line that its row shows at most. */
#define FIRST_LINE_MAX 200
/** Lines of a notch of the wheel. */
#define WHEEL_LINES 3

/** A row of the first page. */
struct box {
	/** "" for all mail of the session. */
	char name[BH_MODEL_NAME];
	int unread;
	/** Its terminal, or NULL. */
	const struct bh_model_terminal *terminal;
};

struct mailview {
	struct bh_layer layer;
	const struct bh_model *model;
	bool is_observing;
	/** The chosen mailbox, and whether it is open: then its messages are seen. */
	char box[BH_MODEL_NAME];
	bool is_open;
	/** An array of message objects, oldest first; NULL: not here yet. */
	cJSON *messages;
	/** Its unread mail when they were asked for; another number: they are asked for anew. */
	int asked_unread;
	/** The chosen message (seq), 0: the newest; and its receipt's steps when they have come. */
	double chosen;
	cJSON *receipt;
	struct bh_textview *text;
};

static const struct bh_draw_style plain = {0};
static const struct bh_draw_style dim = {.attrs = BH_ATTR_DIM};
static const struct bh_draw_style bold = {.attrs = BH_ATTR_BOLD};

// -------------------------------------------------------------------------- fields of JSON

static const char *field_str(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(item) ? item->valuestring : "";
}

static double field_num(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

/** Write a time of the protocol as a person of here reads it, with the year. */
static void time_text(double at_ms, char out[TIME_SIZE])
{
	time_t seconds = (time_t)(at_ms / 1000);
	struct tm here;

	if (localtime_r(&seconds, &here) == NULL ||
	    strftime(out, TIME_SIZE, "%Y-%m-%d %H:%M:%S", &here) == 0) {
		(void)snprintf(out, TIME_SIZE, "%s", "?");
	}
}

/** As time_text(), without the year. */
static void short_time_text(double at_ms, char out[TIME_SIZE])
{
	char text[TIME_SIZE];
	const char *dash = NULL;

	time_text(at_ms, text);
	dash = strchr(text, '-');
	(void)snprintf(out, TIME_SIZE, "%s", dash == NULL ? text : dash + 1);
}

// ------------------------------------------------------------------------------- mailboxes

static void box_add(struct box *boxes, size_t *count, const char *name, int unread,
                    const struct bh_model_terminal *terminal)
{
	struct box *box = &boxes[(*count)++];

	(void)snprintf(box->name, sizeof(box->name), "%s", name);
	box->unread = unread;
	box->terminal = terminal;
}

/** The operator, all agents, whoever else has mail, and all of it; the caller frees. */
static struct box *boxes_new(const struct mailview *view, size_t *count_out)
{
	const struct bh_model *model = view->model;
	struct box *boxes =
		bh_xcalloc(model->terminal_count + model->mailbox_count + 2, sizeof(*boxes));
	int all = 0;

	*count_out = 0;
	box_add(boxes, count_out, OPERATOR, bh_model_unread_of(model, OPERATOR), NULL);
	for (size_t i = 0; i < model->terminal_count; i++) {
		const struct bh_model_terminal *at = &model->terminals[i];

		if (bh_model_is_agent(at) || at->unread > 0) {
			box_add(boxes, count_out, at->identity, at->unread, at);
		}
	}
	for (size_t i = 0; i < model->mailbox_count; i++) {
		const struct bh_model_mailbox *at = &model->mailboxes[i];

		if (strcmp(at->name, OPERATOR) != 0 && at->unread > 0) {
			box_add(boxes, count_out, at->name, at->unread, NULL);
		}
	}
	for (size_t i = 0; i < *count_out; i++) {
		all += boxes[i].unread;
	}
	box_add(boxes, count_out, "", all, NULL);
	return boxes;
}

/** Where the chosen mailbox stands. */
static struct bh_panel_list boxes_list(const struct mailview *view, const struct box *boxes,
                                       size_t count)
{
	struct bh_panel_list list = {.count = count};

	for (size_t i = 0; i < count; i++) {
		if (strcmp(boxes[i].name, view->box) == 0) {
			list.at = i;
		}
	}
	return list;
}

/** The mailbox that is chosen, as it is now. */
static struct box box_now(const struct mailview *view)
{
	size_t count = 0;
	struct box *boxes = boxes_new(view, &count);
	struct bh_panel_list list = boxes_list(view, boxes, count);
	struct box box = boxes[list.at];

	free(boxes);
	return box;
}

/** What becomes of a mailbox's unread mail, in words. */
static void box_text(const struct box *box, char *out, size_t size)
{
	const struct bh_model_terminal *terminal = box->terminal;

	if (box->name[0] == '\0') {
		(void)snprintf(out, size, "all mail of the session");
	} else if (box->unread == 0) {
		(void)snprintf(out, size, "nothing unread");
	} else if (strcmp(box->name, OPERATOR) == 0) {
		(void)snprintf(out, size, "%d unread, for you", box->unread);
	} else if (terminal == NULL) {
		(void)snprintf(out, size, "%d unread; it has no terminal now", box->unread);
	} else if (terminal->is_parked) {
		(void)snprintf(out, size,
		               "%d unread, parked: it was told, no more notices (r rings)",
		               box->unread);
	} else if (terminal->queued > 0 && terminal->mail_reason[0] != '\0') {
		(void)snprintf(out, size, "%d unread, %d queued: waits for %s", box->unread,
		               terminal->queued, terminal->mail_reason);
	} else if (terminal->queued > 0) {
		(void)snprintf(out, size, "%d unread, %d queued", box->unread, terminal->queued);
	} else {
		(void)snprintf(out, size, "%d unread", box->unread);
	}
}

static void boxes_draw(const struct mailview *view, struct bh_draw *draw, struct bh_draw_rect rect)
{
	size_t count = 0;
	struct box *boxes = boxes_new(view, &count);
	struct bh_panel_list list = boxes_list(view, boxes, count);
	struct bh_draw_rect body = bh_panel_draw(draw, rect, "mail",
	                                         "Enter opens   r rings   o goes there   q closes");
	struct bh_draw_rect line;
	char text[160];

	for (size_t i = 0; i < count; i++) {
		struct bh_draw_style style = boxes[i].unread > 0 ? bold : plain;

		if (bh_panel_row(draw, body, &list, i, &line)) {
			int name_cols = line.cols < 2 * NAME_COLS ? line.cols / 2 : NAME_COLS;

			box_text(&boxes[i], text, sizeof(text));
			(void)bh_draw_name(draw, line.row, line.col, name_cols - 1,
			                   boxes[i].name[0] == '\0' ? "*" : boxes[i].name,
			                   bh_panel_style(&list, i, style));
			(void)bh_draw_text(
				draw, line.row, line.col + name_cols, line.cols - name_cols, text,
				bh_panel_style(&list, i, boxes[i].unread > 0 ? plain : dim));
		}
	}
	free(boxes);
}

// -------------------------------------------------------------------------------- messages

/** The messages with the newest first, as a list. */
static struct bh_panel_list messages_list(const struct mailview *view)
{
	struct bh_panel_list list = {.count = (size_t)cJSON_GetArraySize(view->messages)};
	const cJSON *message = NULL;
	size_t at = list.count;

	cJSON_ArrayForEach(message, view->messages)
	{
		at--;
		if (view->chosen > 0 && field_num(message, "seq") <= view->chosen) {
			list.at = at;
		}
	}
	return list;
}

/** Message @index of that list; NULL when there is none. */
static cJSON *message_at(const struct mailview *view, size_t index)
{
	int count = cJSON_GetArraySize(view->messages);

	return index < (size_t)count ? cJSON_GetArrayItem(view->messages, count - 1 - (int)index)
	                             : NULL;
}

static cJSON *message_chosen(const struct mailview *view)
{
	return message_at(view, messages_list(view).at);
}

static void ask_messages(struct mailview *view)
{
	const struct bh_layer_host *host = view->layer.host;
	cJSON *params = cJSON_CreateObject();

	if (view->box[0] != '\0') {
		(void)cJSON_AddStringToObject(params, "name", view->box);
	}
	(void)cJSON_AddNumberToObject(params, "limit", MESSAGES_MAX);
	view->asked_unread = box_now(view).unread;
	(void)host->request(host->user, "mail.history", params);
}

static void add_safe(struct bh_buf *out, const char *text)
{
	bh_mail_text_safe(out, text, strlen(text));
}

static void add_receipt(struct bh_buf *out, const cJSON *steps)
{
	const cJSON *step = NULL;
	char when[TIME_SIZE];

	bh_buf_puts(out, "\nreceipt\n");
	cJSON_ArrayForEach(step, steps)
	{
		short_time_text(field_num(step, "at"), when);
		bh_buf_printf(out, "  %s  %-11s ", when, field_str(step, "step"));
		add_safe(out, field_str(step, "cause"));
		bh_buf_puts(out, "\n");
	}
}

/** Compose the text of the chosen message. */
static void compose_text(struct mailview *view)
{
	const cJSON *message = message_chosen(view);
	struct bh_buf out = {0};
	char when[TIME_SIZE];

	if (message != NULL) {
		time_text(field_num(message, "sent_at"), when);
		bh_buf_printf(&out, "from %s to %s, %s, %s", field_str(message, "from"),
		              field_str(message, "to"), when, field_str(message, "state"));
		if (field_str(message, "reply_to")[0] != '\0') {
			bh_buf_printf(&out, ", reply to %s", field_str(message, "reply_to"));
		}
		bh_buf_puts(&out, "\n\n");
		add_safe(&out, field_str(message, "body"));
		bh_buf_puts(&out, "\n");
	}
	if (message != NULL && view->receipt != NULL) {
		add_receipt(&out, view->receipt);
	}
	bh_textview_set(view->text, out.data == NULL ? "" : out.data);
	bh_buf_clear(&out);
}

/** A person has the operator's mail on the screen: it is seen. */
static void mark_seen(struct mailview *view, cJSON *message)
{
	const struct bh_layer_host *host = view->layer.host;
	cJSON *params = NULL;

	if (view->is_observing || strcmp(field_str(message, "to"), OPERATOR) != 0 ||
	    strcmp(field_str(message, "state"), "unread") != 0) {
		return;
	}
	params = cJSON_CreateObject();
	cJSON_AddItemToArray(cJSON_AddArrayToObject(params, "ids"),
	                     cJSON_CreateString(field_str(message, "id")));
	if (host->request(host->user, "mail.ack", params)) {
		(void)cJSON_ReplaceItemInObjectCaseSensitive(message, "state",
		                                             cJSON_CreateString("seen"));
	}
}

/** Another message is chosen, or the messages are new: show it and ask for its receipt. */
static void show_chosen(struct mailview *view, bool is_same)
{
	const struct bh_layer_host *host = view->layer.host;
	cJSON *message = message_chosen(view);
	cJSON *params = NULL;

	if (!is_same) {
		cJSON_Delete(view->receipt);
		view->receipt = NULL;
		bh_textview_rewind(view->text);
	}
	if (message != NULL) {
		view->chosen = field_num(message, "seq");
		mark_seen(view, message);
		params = cJSON_CreateObject();
		(void)cJSON_AddStringToObject(params, "id", field_str(message, "id"));
		(void)host->request(host->user, "mail.receipt", params);
	}
	compose_text(view);
}

static void message_draw(const struct mailview *view, struct bh_draw *draw,
                         struct bh_draw_rect line, const struct bh_panel_list *list, size_t index)
{
	const cJSON *message = message_at(view, index);
	bool is_unread = strcmp(field_str(message, "state"), "unread") == 0;
	struct bh_draw_style style = bh_panel_style(list, index, is_unread ? bold : plain);
	bool is_sent = strcmp(field_str(message, "from"), view->box) == 0;
	const char *body = field_str(message, "body");
	size_t len = strcspn(body, "\n");
	struct bh_buf first = {0};
	char text[BH_MODEL_NAME * 2 + 16];
	char when[TIME_SIZE];
	int col = line.col;
	int end = line.col + line.cols;

	(void)bh_draw_text(draw, line.row, col, ID_COLS - 1, field_str(message, "id"), style);
	col += ID_COLS;
	short_time_text(field_num(message, "sent_at"), when);
	(void)bh_draw_text(draw, line.row, col, end - col < TIME_COLS ? 0 : TIME_COLS - 1, when,
	                   style);
	col += TIME_COLS;
	(void)bh_draw_text(draw, line.row, col, end - col < STATE_COLS ? 0 : STATE_COLS - 1,
	                   field_str(message, "state"), style);
	col += STATE_COLS;
	(void)snprintf(text, sizeof(text), is_sent ? "to %s" : "%s",
	               field_str(message, is_sent ? "to" : "from"));
	if (view->box[0] == '\0') {
		(void)snprintf(text, sizeof(text), "%s > %s", field_str(message, "from"),
		               field_str(message, "to"));
	}
	(void)bh_draw_name(draw, line.row, col, end - col < PEER_COLS ? 0 : PEER_COLS - 1, text,
	                   style);
	col += PEER_COLS;
	bh_mail_text_safe(&first, body, len < FIRST_LINE_MAX ? len : FIRST_LINE_MAX);
	(void)bh_draw_text(draw, line.row, col, end - col < 0 ? 0 : end - col,
	                   first.data == NULL ? "" : first.data, style);
	bh_buf_clear(&first);
}

/** Divide the body: the list above, the text of the chosen message below a line. */
static struct bh_draw_rect divide(struct bh_draw_rect body, size_t count,
                                  struct bh_draw_rect *text_out)
{
	struct bh_draw_rect list = body;
	int most = body.rows / 3 < 1 ? 1 : body.rows / 3;

	list.rows = count < 1 ? 1 : count < (size_t)most ? (int)count : most;
	*text_out = body;
	text_out->row += list.rows + 1;
	text_out->rows -= list.rows + 1;
	return list;
}

static void messages_draw(const struct mailview *view, struct bh_draw *draw,
                          struct bh_draw_rect rect)
{
	struct bh_panel_list list = messages_list(view);
	struct bh_draw_rect text;
	struct bh_draw_rect rows;
	struct bh_draw_rect line;
	char title[BH_MODEL_NAME + 32];

	(void)snprintf(title, sizeof(title), "mail: %s",
	               view->box[0] == '\0' ? "all of the session" : view->box);
	rows = divide(bh_panel_draw(draw, rect, title,
	                            "↑↓ message   Space scrolls   r rings   o goes   h back"),
	              list.count, &text);
	for (size_t i = 0; i < list.count; i++) {
		if (bh_panel_row(draw, rows, &list, i, &line)) {
			message_draw(view, draw, line, &list, i);
		}
	}
	if (list.count == 0) {
		(void)bh_draw_text(draw, rows.row, rows.col, rows.cols,
		                   view->messages == NULL ? "..." : "no mail", dim);
		return;
	}
	for (int i = 0; text.rows > 0 && i < text.cols; i++) {
		(void)bh_draw_text(draw, text.row - 1, text.col + i, 1, "─", dim);
	}
	bh_textview_draw(view->text, draw, text);
}

// ------------------------------------------------------------------------------------ keys

static void open_box(struct mailview *view)
{
	cJSON_Delete(view->messages);
	view->messages = NULL;
	view->is_open = true;
	view->chosen = 0;
	bh_textview_set(view->text, "");
	ask_messages(view);
}

/** Send a request about the chosen mailbox's agent. */
static void ask_about(struct mailview *view, const char *method, const char *name)
{
	const struct bh_layer_host *host = view->layer.host;
	cJSON *params = cJSON_CreateObject();

	(void)cJSON_AddStringToObject(params, "name", name);
	(void)host->request(host->user, method, params);
}

static void ring(struct mailview *view)
{
	struct box box = box_now(view);
	const struct bh_layer_host *host = view->layer.host;

	if (view->is_observing) {
		host->say(host->user, "you only look here (--observe)");
	} else if (box.terminal == NULL) {
		host->say(host->user, "there is no agent of that name to ring now");
	} else {
		ask_about(view, "notice.ring", box.name);
	}
}

static void go(struct mailview *view)
{
	struct box box = box_now(view);
	const struct bh_layer_host *host = view->layer.host;

	if (view->is_observing) {
		host->say(host->user, "you only look here (--observe)");
		return;
	}
	if (box.terminal == NULL) {
		host->say(host->user, "there is no agent of that name to go to now");
		return;
	}
	ask_about(view,
	          bh_model_tab_of(view->model, box.terminal->id) != NULL ? "pane.focus"
	                                                                 : "pane.show",
	          box.terminal->id);
	host->close(host->user);
}

/** Keys that both pages have. */
static bool common_key(struct mailview *view, const struct bh_layer_key *key)
{
	const struct bh_layer_host *host = view->layer.host;

	if (key->is_control || key->is_alt) {
		return false;
	}
	switch (key->key) {
	case 'r':
		ring(view);
		return true;
	case 'o':
		go(view);
		return true;
	case 'q':
		host->close(host->user);
		return true;
	default:
		return false;
	}
}

static void boxes_key(struct mailview *view, const struct bh_layer_key *key)
{
	size_t count = 0;
	struct box *boxes = boxes_new(view, &count);
	struct bh_panel_list list = boxes_list(view, boxes, count);

	if (bh_panel_is_leave(key)) {
		view->layer.host->close(view->layer.host->user);
	} else if (key->key == '\r' || key->key == BH_KEY_RIGHT || key->key == 'l') {
		memcpy(view->box, boxes[list.at].name, sizeof(view->box));
		open_box(view);
	} else if (bh_panel_key(&list, key, true)) {
		memcpy(view->box, boxes[list.at].name, sizeof(view->box));
	}
	free(boxes);
}

static void choose_message(struct mailview *view, const struct bh_panel_list *list)
{
	const cJSON *message = message_at(view, list->at);
	double seq = message == NULL ? 0 : field_num(message, "seq");

	if (seq != view->chosen) {
		view->chosen = seq;
		show_chosen(view, false);
	}
}

static void messages_key(struct mailview *view, const struct bh_layer_key *key)
{
	struct bh_panel_list list = messages_list(view);

	if (bh_panel_is_leave(key) || key->key == BH_KEY_LEFT || key->key == 'h') {
		view->is_open = false;
	} else if (key->key == BH_KEY_PAGE_UP || key->key == BH_KEY_PAGE_DOWN || key->key == ' ') {
		(void)bh_textview_key(view->text, key);
	} else if (bh_panel_key(&list, key, true)) {
		choose_message(view, &list);
	}
}

// ------------------------------------------------------------------------------- the layer

static void mailview_draw(const struct bh_layer *layer, struct bh_draw *draw,
                          const struct bh_scene *scene, struct bh_draw_rect rect)
{
	const struct mailview *view = (const struct mailview *)layer;

	(void)scene;
	if (view->is_open) {
		messages_draw(view, draw, rect);
	} else {
		boxes_draw(view, draw, rect);
	}
}

static void mailview_key(struct bh_layer *layer, const struct bh_layer_key *key)
{
	struct mailview *view = (struct mailview *)layer;

	if (!common_key(view, key)) {
		if (view->is_open) {
			messages_key(view, key);
		} else {
			boxes_key(view, key);
		}
	}
	layer->host->redraw(layer->host->user);
}

static void boxes_mouse(struct mailview *view, const struct bh_layer_mouse *mouse,
                        struct bh_draw_rect body)
{
	size_t count = 0;
	struct box *boxes = boxes_new(view, &count);
	struct bh_panel_list list = boxes_list(view, boxes, count);
	bool is_pressed = bh_panel_mouse(&list, mouse, body);

	memcpy(view->box, boxes[list.at].name, sizeof(view->box));
	free(boxes);
	if (is_pressed) {
		open_box(view);
	}
}

static void messages_mouse(struct mailview *view, const struct bh_layer_mouse *mouse,
                           struct bh_draw_rect body)
{
	struct bh_panel_list list = messages_list(view);
	struct bh_draw_rect text;
	struct bh_draw_rect rows = divide(body, list.count, &text);

	if (mouse->row < text.row) {
		(void)bh_panel_mouse(&list, mouse, rows);
		choose_message(view, &list);
	} else if (mouse->kind == BH_MOUSE_WHEEL_UP || mouse->kind == BH_MOUSE_WHEEL_DOWN) {
		bh_textview_scroll(view->text,
		                   mouse->kind == BH_MOUSE_WHEEL_UP ? -WHEEL_LINES : WHEEL_LINES);
	}
}

static void mailview_mouse(struct bh_layer *layer, const struct bh_layer_mouse *mouse,
                           struct bh_draw_rect rect)
{
	struct mailview *view = (struct mailview *)layer;

	if (view->is_open) {
		messages_mouse(view, mouse, bh_panel_body(rect));
	} else {
		boxes_mouse(view, mouse, bh_panel_body(rect));
	}
	layer->host->redraw(layer->host->user);
}

static void take_messages(struct mailview *view, const cJSON *params, const cJSON *result)
{
	double before = view->chosen;

	if (!view->is_open || strcmp(field_str(params, "name"), view->box) != 0) {
		return; // of a mailbox that was left
	}
	cJSON_Delete(view->messages);
	view->messages =
		cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(result, "messages"), true);
	show_chosen(view, before > 0);
}

static void take_receipt(struct mailview *view, const cJSON *params, const cJSON *result)
{
	const cJSON *message = message_chosen(view);

	if (message != NULL && strcmp(field_str(params, "id"), field_str(message, "id")) == 0) {
		cJSON_Delete(view->receipt);
		view->receipt =
			cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(result, "steps"), true);
		compose_text(view);
	}
}

static void mailview_result(struct bh_layer *layer, const char *method, const cJSON *params,
                            const cJSON *result, const char *message)
{
	struct mailview *view = (struct mailview *)layer;

	if (result == NULL) {
		layer->host->say(layer->host->user, message);
	} else if (strcmp(method, "mail.history") == 0) {
		take_messages(view, params, result);
	} else if (strcmp(method, "mail.receipt") == 0) {
		take_receipt(view, params, result);
	} else if (strcmp(method, "notice.ring") == 0) {
		layer->host->say(layer->host->user, field_str(result, "next"));
	}
	layer->host->redraw(layer->host->user);
}

/** Mail came or was seen: the open mailbox is looked at again. */
static void mailview_changed(struct bh_layer *layer)
{
	struct mailview *view = (struct mailview *)layer;

	if (view->is_open && box_now(view).unread != view->asked_unread) {
		ask_messages(view);
	}
}

static void mailview_free(struct bh_layer *layer)
{
	struct mailview *view = (struct mailview *)layer;

	cJSON_Delete(view->messages);
	cJSON_Delete(view->receipt);
	bh_textview_free(view->text);
	free(view);
}

static const struct bh_layer_ops ops = {
	.name = "the mail view",
	.draw = mailview_draw,
	.key = mailview_key,
	.mouse = mailview_mouse,
	.result = mailview_result,
	.changed = mailview_changed,
	.free = mailview_free,
};

struct bh_layer *bh_mailview_new(const struct bh_layer_host *host, const struct bh_model *model,
                                 bool is_observing)
{
	struct mailview *view = bh_xcalloc(1, sizeof(*view));
	const struct bh_model_pane *focus = bh_model_focus(model);
	const struct bh_model_terminal *terminal =
		focus == NULL ? NULL : bh_model_terminal(model, focus->terminal_id);

	view->layer.ops = &ops;
	view->layer.host = host;
	view->model = model;
	view->is_observing = is_observing;
	view->text = bh_textview_new();
	(void)snprintf(view->box, sizeof(view->box), "%s",
	               terminal == NULL ? OPERATOR : terminal->identity);
	return &view->layer;
}
