#include "src/ui/bindings.h"

#include "src/base/mem.h"
#include "src/base/utf8.h"
#include "src/ui/layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** What the row of all digits is called. */
#define DIGITS "0-9"

/** Keys with names: characters, and enum bh_key with room for more. */
static const uint32_t named_characters[] = {' ', '\r', '\t', 0x1b, 0x7f};
#define NAMED_FIRST BH_KEY_UP
#define NAMED_LAST (BH_KEY_UP + 31)

static const char *action_at(size_t index)
{
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);

	return index < count ? rows[index].name : NULL;
}

static bool is_key(const char *name)
{
	struct bh_binding binding;

	return bh_bindings_parse(name, &binding);
}

/** Whether a key may do something without the prefix: a character alone is for programs, and so is what
 * types. */
static bool is_direct_key(const char *name)
{
	struct bh_binding binding;

	if (!bh_bindings_parse(name, &binding) || binding.is_digits) {
		return false;
	}
	return binding.is_control || binding.is_alt || binding.key >= BH_KEY_UP ||
	       (binding.is_shift && binding.key != ' ');
}

const struct bh_config_names bh_bindings_names = {
	.action_at = action_at, .is_key = is_key, .is_direct_key = is_direct_key};

/** Whether @key is called @name. */
static bool is_called(uint32_t key, const char *name)
{
	struct bh_key_row row = {.key = key};
	char called[BH_BINDINGS_KEY];

	bh_keytable_key(&row, called, sizeof(called));
	return strcmp(called, name) == 0;
}

/** The key of a name of more than one character; 0: none. */
static uint32_t key_named(const char *name)
{
	for (size_t i = 0; i < sizeof(named_characters) / sizeof(named_characters[0]); i++) {
		if (is_called(named_characters[i], name)) {
			return named_characters[i];
		}
	}
	for (uint32_t key = NAMED_FIRST; key <= NAMED_LAST; key++) {
		if (is_called(key, name)) {
			return key;
		}
	}
	return 0;
}

/** What tmux, and people, call some of them. */
static const struct {
	const char *name;
	uint32_t key;
	bool is_shift;
} aliases[] = {
	{"PgUp", BH_KEY_PAGE_UP, false},   {"PPage", BH_KEY_PAGE_UP, false},
	{"PgDn", BH_KEY_PAGE_DOWN, false}, {"NPage", BH_KEY_PAGE_DOWN, false},
	{"IC", BH_KEY_INSERT, false},      {"DC", BH_KEY_DELETE, false},
	{"BSpace", 0x7f, false},           {"BTab", '\t', true},
};

static bool is_character(uint32_t key)
{
	return key > ' ' && key != 0x7f && key < BH_KEY_UP;
}

/** One form for what terminals send the same bytes for, or say differently. */
static void fold(struct bh_binding *binding)
{
	static const struct {
		uint32_t key, folded;
		bool is_control;
	} same[] = {
		{'i', '\t', false}, {'m', '\r', false}, {'[', 0x1b, false},
		{'@', ' ', true},   {'/', '_', true},   {'?', 0x7f, false},
	};

	if (binding->is_control && binding->key >= 'A' && binding->key <= 'Z') {
		binding->key += 'a' - 'A';
	}
	if (!binding->is_control && is_character(binding->key)) {
		binding->is_shift = false; // it is in the character
	}
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		if (binding->is_control && !binding->is_shift && binding->key == same[i].key) {
			binding->key = same[i].folded;
			binding->is_control = same[i].is_control;
			return;
		}
	}
}

/** The modifiers before a name; gives what stands behind them. */
static const char *read_modifiers(const char *name, struct bh_binding *binding)
{
	while (name[0] != '\0' && name[1] == '-' && name[2] != '\0') {
		bool *modifier = name[0] == 'C'   ? &binding->is_control
		                 : name[0] == 'M' ? &binding->is_alt
		                 : name[0] == 'S' ? &binding->is_shift
		                                  : NULL;

		if (modifier == NULL || *modifier) {
			break;
		}
		*modifier = true;
		name += 2;
	}
	return name;
}

/** The key itself, without modifiers; false: there is none of that name. */
static bool read_key(const char *name, struct bh_binding *binding)
{
	uint32_t code = 0;
	size_t len = bh_utf8_next(name, strlen(name), &code);

	if (strcmp(name, DIGITS) == 0) {
		binding->key = '0';
		binding->is_digits = true;
	} else if (len > 0 && name[len] == '\0' && code > ' ' && code != 0x7f) {
		binding->key = code;
	} else if (len > 0 && name[len] != '\0') {
		binding->key = key_named(name);
	}
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (strcmp(aliases[i].name, name) == 0) {
			binding->key = aliases[i].key;
			binding->is_shift = binding->is_shift || aliases[i].is_shift;
		}
	}
	return binding->key != 0;
}

bool bh_bindings_parse(const char *name, struct bh_binding *binding_out)
{
	struct bh_binding binding = {0};

	if (strlen(name) >= sizeof(binding.name)) {
		return false;
	}
	(void)snprintf(binding.name, sizeof(binding.name), "%s", name);
	if (!read_key(read_modifiers(name, &binding), &binding)) {
		return false;
	}
	if (binding.is_digits && (binding.is_control || binding.is_alt || binding.is_shift)) {
		return false;
	}
	if (binding.is_shift && !binding.is_control && is_character(binding.key)) {
		return false; // S-a is A
	}
	fold(&binding);
	*binding_out = binding;
	return true;
}

/** Where of @count items @like stands, or NULL. */
static const struct bh_binding *binding_find(const struct bh_binding *items, size_t count,
                                             const struct bh_binding *like)
{
	for (size_t i = 0; i < count; i++) {
		const struct bh_binding *at = &items[i];

		if (at->key == like->key && at->is_control == like->is_control &&
		    at->is_alt == like->is_alt && at->is_shift == like->is_shift &&
		    at->is_digits == like->is_digits) {
			return at;
		}
	}
	return NULL;
}

/** Add a key, if no other action has it. */
static void add(struct bh_bindings *bindings, struct bh_binding binding, const char *action)
{
	if (binding_find(bindings->items, bindings->count, &binding) == NULL) {
		binding.row = bh_keytable_named(action);
		bindings->items = bh_xrealloc(bindings->items, bindings->count + 1,
		                              sizeof(bindings->items[0]));
		bindings->items[bindings->count++] = binding;
	}
}

static void add_named(struct bh_bindings *bindings, const char *key, const char *action)
{
	struct bh_binding binding;

	if (bh_bindings_parse(key, &binding)) {
		add(bindings, binding, action);
	}
}

/** Whether the person said which keys an action has. */
static bool is_bound(const struct bh_config *config, const char *action)
{
	for (size_t i = 0; i < config->keys.count; i++) {
		if (strcmp(config->keys.items[i].action, action) == 0) {
			return true;
		}
	}
	return false;
}

/** The keys of the table's rows, but where the person said others. */
static void add_defaults(struct bh_bindings *bindings, const struct bh_config *config)
{
	size_t count = 0;
	const struct bh_key_row *rows = bh_keytable(&count);

	for (size_t i = 0; i < count; i++) {
		struct bh_binding binding = {.key = rows[i].key,
		                             .is_control = rows[i].is_control,
		                             .is_alt = rows[i].is_alt,
		                             .is_digits = rows[i].key == '0'};

		if (rows[i].key == 0 || is_bound(config, rows[i].name)) {
			continue;
		}
		if (rows[i].action == BH_ACTION_SEND_PREFIX) {
			add_named(bindings, bindings->prefix_name, rows[i].name);
		} else {
			bh_keytable_key(&rows[i], binding.name, sizeof(binding.name));
			add(bindings, binding, rows[i].name);
		}
	}
}

/** The keys that need no prefix. The first action that has one keeps it. */
static void set_direct(struct bh_bindings *bindings, const struct bh_config_bindings *keys)
{
	for (size_t i = 0; i < keys->count; i++) {
		struct bh_binding binding;

		if (!is_direct_key(keys->items[i].key) ||
		    !bh_bindings_parse(keys->items[i].key, &binding) ||
		    bh_keytable_named(keys->items[i].action) == NULL ||
		    binding_find(bindings->direct, bindings->direct_count, &binding) != NULL) {
			continue;
		}
		binding.row = bh_keytable_named(keys->items[i].action);
		bindings->direct = bh_xrealloc(bindings->direct, bindings->direct_count + 1,
		                               sizeof(bindings->direct[0]));
		bindings->direct[bindings->direct_count++] = binding;
	}
}

/** Put keys in the order of their actions in the table; those of one action stay in theirs. */
static void sort(struct bh_bindings *bindings)
{
	for (size_t i = 1; i < bindings->count; i++) {
		struct bh_binding binding = bindings->items[i];
		size_t at = i;

		for (; at > 0 && bindings->items[at - 1].row > binding.row; at--) {
			bindings->items[at] = bindings->items[at - 1];
		}
		bindings->items[at] = binding;
	}
}

void bh_bindings_set(struct bh_bindings *bindings, const struct bh_config *config)
{
	bh_bindings_clear(bindings);
	bindings->prefix = config->prefix;
	bh_config_prefix_name(config->prefix, bindings->prefix_name);
	for (size_t i = 0; i < config->keys.count; i++) {
		if (bh_keytable_named(config->keys.items[i].action) != NULL) {
			add_named(bindings, config->keys.items[i].key,
			          config->keys.items[i].action);
		}
	}
	add_defaults(bindings, config);
	sort(bindings);
	set_direct(bindings, &config->direct_keys);
}

void bh_bindings_clear(struct bh_bindings *bindings)
{
	free(bindings->items);
	free(bindings->direct);
	*bindings = (struct bh_bindings){0};
}

struct bh_layer_key bh_bindings_prefix(int prefix)
{
	bool is_alt = (prefix & BH_CONFIG_PREFIX_ALT) != 0;

	return (struct bh_layer_key){
		.key = (uint32_t)prefix & 0x7f, .is_control = !is_alt, .is_alt = is_alt};
}

size_t bh_bindings_prefix_bytes(const struct bh_layer_key *prefix, char out[2])
{
	out[0] = prefix->is_alt ? '\x1b' : (char)(prefix->key & 0x1fU);
	out[1] = (char)prefix->key;
	return prefix->is_alt ? 2 : 1;
}

static struct bh_binding binding_of(const struct bh_layer_key *key)
{
	struct bh_binding binding = {.key = key->key,
	                             .is_control = key->is_control,
	                             .is_alt = key->is_alt,
	                             .is_shift = key->is_shift};

	fold(&binding);
	return binding;
}

const struct bh_key_row *bh_bindings_find(const struct bh_bindings *bindings,
                                          const struct bh_layer_key *key)
{
	struct bh_binding like = binding_of(key);
	const struct bh_binding *found = binding_find(bindings->items, bindings->count, &like);

	if (found == NULL && like.is_shift) {
		like.is_shift = false;
		fold(&like);
		found = binding_find(bindings->items, bindings->count, &like);
	}
	if (found == NULL && like.key >= '0' && like.key <= '9' && !like.is_control &&
	    !like.is_alt) {
		like = (struct bh_binding){.key = '0', .is_digits = true};
		found = binding_find(bindings->items, bindings->count, &like);
	}
	return found == NULL ? NULL : found->row;
}

const struct bh_key_row *bh_bindings_direct(const struct bh_bindings *bindings,
                                            const struct bh_layer_key *key)
{
	struct bh_binding like = binding_of(key);
	const struct bh_binding *found =
		binding_find(bindings->direct, bindings->direct_count, &like);

	return found == NULL ? NULL : found->row;
}

void bh_bindings_keys(const struct bh_bindings *bindings, enum bh_action action, struct bh_buf *out)
{
	const char *before = "";

	for (size_t i = 0; i < bindings->count; i++) {
		if (bindings->items[i].row->action == action) {
			bh_buf_printf(out, "%s%s", before, bindings->items[i].name);
			before = " ";
		}
	}
}

const char *bh_bindings_key(const struct bh_bindings *bindings, enum bh_action action)
{
	for (size_t i = 0; i < bindings->count; i++) {
		if (bindings->items[i].row->action == action) {
			return bindings->items[i].name;
		}
	}
	return NULL;
}

void bh_bindings_hint(const struct bh_bindings *bindings, enum bh_action action, char *out,
                      size_t size)
{
	const char *key = bh_bindings_key(bindings, action);

	(void)snprintf(out, size, "%s%s%s", key == NULL ? "" : bindings->prefix_name,
	               key == NULL ? "" : " ", key == NULL ? "" : key);
}
