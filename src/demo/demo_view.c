#include "demo_view.h"

#include "demo_text.h"

#include "src/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIM "\033[2m"
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

/* A stack of finished rows, first at the top. */
struct stack {
	char **row;
	size_t count;
};

static void stack_push_take(struct stack *stack, char *row)
{
	stack->row = bh_xrealloc(stack->row, stack->count + 1, sizeof(*stack->row));
	stack->row[stack->count++] = row;
}

static void stack_push(struct stack *stack, const char *row)
{
	stack_push_take(stack, bh_xstrdup(row));
}

static void stack_clear(struct stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		free(stack->row[i]);
	}
	free(stack->row);
	*stack = (struct stack){0};
}

/* Push @text wrapped to @cols; @first stands before its first row, @more before the others. Both
 * may hold SGR; @indent is their width. */
static void stack_push_wrapped(struct stack *stack, const char *text, const char *first,
                               const char *more, int indent, int cols)
{
	struct bh_span rest = bh_span_of(text);
	const char *lead = first;

	do {
		struct bh_buf row = {0};
		size_t len = bh_demo_text_fit(rest, cols > indent ? cols - indent : 1);

		bh_buf_puts(&row, lead);
		bh_demo_text_show(&row, (struct bh_span){.data = rest.data, .len = len});
		bh_buf_puts(&row, PLAIN);
		stack_push_take(stack, bh_buf_detach(&row));
		if (len < rest.len && rest.data[len] == '\n') {
			len++;
		}
		rest = (struct bh_span){.data = rest.data + len, .len = rest.len - len};
		lead = more;
	} while (rest.len > 0);
}

static char *rule_dup(int cols)
{
	struct bh_buf row = {0};

	bh_buf_puts(&row, DIM);
	for (int i = 0; i < cols; i++) {
		bh_buf_puts(&row, "─");
	}
	bh_buf_puts(&row, PLAIN);
	return bh_buf_detach(&row);
}

/* --- the transcript --- */

static const struct {
	const char *first;
	const char *more;
	int indent;
} line_marks[] = {
	[BH_DEMO_LINE_USER] = {BOLD "> " PLAIN, "  ", 2},
	[BH_DEMO_LINE_USER_MORE] = {"  ", "  ", 2},
	[BH_DEMO_LINE_SAY] = {"● ", "  ", 2},
	[BH_DEMO_LINE_TOOL] = {"● run ", "      ", 6},
	[BH_DEMO_LINE_OUTPUT] = {"  ⎿ ", "    ", 4},
	[BH_DEMO_LINE_NOTE] = {DIM "· ", DIM "  ", 2},
};

static void transcript_push(struct stack *stack, const struct bh_demo_agent *agent, int cols)
{
	for (size_t i = 0; i < agent->line_count; i++) {
		const struct bh_demo_line *line = &agent->transcript[i];

		if (i > 0 && line->kind == BH_DEMO_LINE_USER) {
			stack_push(stack, "");
		}
		stack_push_wrapped(stack, line->text, line_marks[line->kind].first,
		                   line_marks[line->kind].more, line_marks[line->kind].indent,
		                   cols);
	}
}

/* --- what stands below it --- */

static void activity_push(struct stack *stack, const struct bh_demo_agent *agent, uint64_t now_ms,
                          int cols)
{
	static const char *const spinner[] = {"✢", "✳", "✶", "✻", "✽"};
	const size_t count = sizeof(spinner) / sizeof(spinner[0]);

	for (size_t i = 0; i < agent->queue_count; i++) {
		size_t len = strcspn(agent->queue[i], "\n");
		char *line = bh_xmemdup(agent->queue[i], len);

		stack_push_wrapped(stack, line, DIM "  queued: ", DIM "          ", 10, cols);
		free(line);
	}
	if (agent->phase == BH_DEMO_WORKING) {
		stack_push_take(stack,
		                bh_xasprintf("%s Working… (%us · esc to interrupt)",
		                             spinner[now_ms / BH_DEMO_SPIN_MS % count],
		                             (unsigned)((now_ms - agent->turn_started_ms) / 1000)));
	} else {
		stack_push(stack, "");
	}
}

static void menu_push(struct stack *stack, const struct bh_demo_agent *agent)
{
	size_t count;
	const struct bh_demo_menu_row *row = bh_demo_menu_rows(&count);

	for (size_t i = 0; i < count; i++) {
		stack_push_take(stack, bh_xasprintf("  %s %-8s " DIM "%s" PLAIN,
		                                    i == agent->choice ? "❯" : " ", row[i].name,
		                                    row[i].meaning));
	}
}

static const char *composer_footer(const struct bh_demo_agent *agent)
{
	if (bh_demo_agent_has_menu(agent)) {
		return "  ↑↓ select · enter run · esc close";
	}
	if (agent->phase == BH_DEMO_WORKING) {
		return "  esc to interrupt";
	}
	return "  / for commands";
}

static void composer_push(struct stack *stack, const struct bh_demo_agent *agent, int cols,
                          int rows)
{
	struct stack text = {0};
	size_t room = rows > 12 ? (size_t)rows - 10 : 2;

	if (bh_demo_agent_has_menu(agent)) {
		menu_push(stack, agent);
	}
	stack_push_take(stack, rule_dup(cols));
	if (agent->composer.len == 0) {
		stack_push(stack, BOLD ">" PLAIN " " DIM "Type a message" PLAIN);
	} else {
		stack_push_wrapped(&text, agent->composer.data, BOLD ">" PLAIN " ", "  ", 2, cols);
		for (size_t i = text.count > room ? text.count - room : 0; i < text.count; i++) {
			stack_push(stack, text.row[i]);
		}
		stack_clear(&text);
	}
	stack_push_take(stack, rule_dup(cols));
	stack_push_take(stack, bh_xasprintf(DIM "%s" PLAIN, composer_footer(agent)));
}

static void dialog_push(struct stack *stack, const struct bh_demo_agent *agent, int cols)
{
	bool is_trust = agent->phase == BH_DEMO_TRUST;

	stack_push_take(stack, rule_dup(cols));
	stack_push(stack,
	           is_trust ? BOLD " Trust this folder?" PLAIN : BOLD " Permission needed" PLAIN);
	stack_push_wrapped(stack, is_trust ? "The agent will work in it." : agent->question, "   ",
	                   "   ", 3, cols);
	stack_push(stack, "");
	stack_push(stack, agent->choice == 0 ? " ❯ 1. Yes" : "   1. Yes");
	stack_push(stack, agent->choice == 1 ? " ❯ 2. No" : "   2. No");
	stack_push(stack, "");
	stack_push(stack, DIM " Enter to confirm · Esc to cancel" PLAIN);
}

static void bottom_push(struct stack *stack, const struct bh_demo_agent *agent, uint64_t now_ms,
                        const struct bh_demo_view *view)
{
	switch (agent->phase) {
	case BH_DEMO_STARTING:
		stack_push(stack, DIM "  starting" PLAIN);
		return;
	case BH_DEMO_TRUST:
	case BH_DEMO_ASKING:
		dialog_push(stack, agent, view->cols);
		return;
	case BH_DEMO_IDLE:
	case BH_DEMO_WORKING:
	case BH_DEMO_OVER:
		activity_push(stack, agent, now_ms, view->cols);
		composer_push(stack, agent, view->cols, view->rows);
		return;
	}
}

/* --- the frame --- */

/* The frame's rows, exactly view->rows of them: banner, transcript down to the bottom block. */
static void frame_build(struct stack *frame, const struct bh_demo_view *view,
                        const struct bh_demo_agent *agent, uint64_t now_ms)
{
	struct stack top = {0};
	struct stack bottom = {0};
	size_t rows = (size_t)view->rows;

	stack_push(&top, BOLD "bellhop demo agent" PLAIN " " DIM VERSION PLAIN);
	stack_push(&top, "");
	transcript_push(&top, agent, view->cols);
	bottom_push(&bottom, agent, now_ms, view);
	for (size_t y = 0; y < rows; y++) {
		size_t below = rows - y;

		if (below <= bottom.count) {
			stack_push(frame, bottom.row[bottom.count - below]);
		} else {
			/* A transcript that is too long loses its upper end. */
			size_t room = rows - bottom.count;
			size_t from = top.count > room ? top.count - room : 0;

			stack_push(frame, from + y < top.count ? top.row[from + y] : "");
		}
	}
	stack_clear(&top);
	stack_clear(&bottom);
}

static bool has_composer(const struct bh_demo_agent *agent)
{
	return agent->phase == BH_DEMO_IDLE || agent->phase == BH_DEMO_WORKING;
}

/* Where the cursor stands: after the last character of the composer. */
static int composer_column(const struct bh_demo_agent *agent, int cols)
{
	struct bh_span rest = {.data = agent->composer.data, .len = agent->composer.len};

	for (;;) {
		size_t len = bh_demo_text_fit(rest, cols > 2 ? cols - 2 : 1);

		if (len >= rest.len) {
			return 2 + bh_demo_text_width(rest);
		}
		len += rest.data[len] == '\n';
		rest = (struct bh_span){.data = rest.data + len, .len = rest.len - len};
	}
}

static void cursor_put(const struct bh_demo_view *view, const struct bh_demo_agent *agent,
                       struct bh_buf *out)
{
	int column;

	if (!has_composer(agent)) {
		return;
	}
	column = composer_column(agent, view->cols);
	bh_buf_printf(out, "\033[%d;%dH\033[?25h", view->rows - 2,
	              (column < view->cols ? column : view->cols - 1) + 1);
}

static const char *title_of(const struct bh_demo_agent *agent, uint64_t now_ms)
{
	switch (agent->phase) {
	case BH_DEMO_WORKING:
		return now_ms / 960 % 2 == 0 ? "◐ demo agent" : "◑ demo agent";
	case BH_DEMO_TRUST:
	case BH_DEMO_ASKING:
		return "! demo agent";
	case BH_DEMO_STARTING:
	case BH_DEMO_IDLE:
	case BH_DEMO_OVER:
		return "✳ demo agent";
	}
	return "";
}

static void title_put(struct bh_demo_view *view, const char *title, struct bh_buf *out)
{
	if (view->title != NULL && strcmp(view->title, title) == 0) {
		return;
	}
	free(view->title);
	view->title = bh_xstrdup(title);
	bh_buf_printf(out, "\033]0;%s\a", title);
}

static void rows_free(struct bh_demo_view *view)
{
	for (int y = 0; view->shown != NULL && y < view->rows; y++) {
		free(view->shown[y]);
	}
	free(view->shown);
	view->shown = NULL;
}

void bh_demo_view_resize(struct bh_demo_view *view, int cols, int rows)
{
	rows_free(view);
	view->cols = cols < 2 ? 2 : cols;
	view->rows = rows < 2 ? 2 : rows;
}

void bh_demo_view_draw(struct bh_demo_view *view, const struct bh_demo_agent *agent,
                       uint64_t now_ms, struct bh_buf *out)
{
	struct stack frame = {0};

	title_put(view, title_of(agent, now_ms), out);
	frame_build(&frame, view, agent, now_ms);
	bh_buf_puts(out, "\033[?2026h\033[?25l");
	for (int y = 0; y < view->rows; y++) {
		if (view->shown != NULL && strcmp(view->shown[y], frame.row[y]) == 0) {
			continue;
		}
		/* Erase first: after a full row the cursor waits *on* the last column. */
		bh_buf_printf(out, "\033[%d;1H\033[K%s", y + 1, frame.row[y]);
	}
	cursor_put(view, agent, out);
	bh_buf_puts(out, "\033[?2026l");
	rows_free(view);
	view->shown = frame.row;
}

void bh_demo_view_clear(struct bh_demo_view *view)
{
	rows_free(view);
	free(view->title);
	*view = (struct bh_demo_view){0};
}
