#include "src/mail/identity.h"

#include <stdio.h>
#include <string.h>

// What a well-formed name is, in the words of every refusal.
#define NAME_RULE \
	"a name is a letter or digit and then at most 63 letters, digits, dots, dashes or " \
	"underscores"

static const char *const mode_words[] = {
	[BH_MODE_DEFAULT] = "default",
	[BH_MODE_MESSAGE] = "message",
	[BH_MODE_NOTICE] = "notice",
	[BH_MODE_OFF] = "off",
};

#define MODE_COUNT (sizeof(mode_words) / sizeof(mode_words[0]))

const char *bh_mode_word(enum bh_mode mode)
{
	return (size_t)mode < MODE_COUNT ? mode_words[mode] : "unknown";
}

int bh_mode_parse(const char *word, enum bh_mode *mode_out, struct bh_err *err)
{
	for (size_t i = 0; i < MODE_COUNT; i++) {
		if (strcmp(word, mode_words[i]) == 0) {
			*mode_out = (enum bh_mode)i;
			return 0;
		}
	}
	return bh_err_set(err, BH_EINVALID,
	                  "there is no mode %.32s: use message, notice, off or default", word);
}

// The C library's isalnum() depends on the locale; names must not.
static bool char_is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static char char_fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool bh_identity_is_valid(const char *name)
{
	size_t len = 0;

	if (!char_is_alnum(name[0])) {
		return false;
	}
	while (char_is_alnum(name[len]) || name[len] == '.' || name[len] == '_' ||
	       name[len] == '-') {
		len++;
		if (len > BH_IDENTITY_MAX) {
			return false;
		}
	}
	return name[len] == '\0';
}

bool bh_identity_is_room(const char *name)
{
	return name[0] == '#' && bh_identity_is_valid(name + 1);
}

bool bh_identity_is_reserved(const char *name)
{
	return bh_identity_is_same(name, "operator") || bh_identity_is_same(name, "bellhop") ||
	       bh_identity_is_same(name, "all");
}

int bh_identity_check(const char *name, struct bh_err *err)
{
	if (bh_identity_is_room(name)) {
		return bh_err_set(err, BH_EINVALID, "%s is a room; " NAME_RULE, name);
	}
	if (!bh_identity_is_valid(name)) {
		return bh_err_set(err, BH_EINVALID, "this is no name; " NAME_RULE);
	}
	if (bh_identity_is_reserved(name)) {
		return bh_err_set(err, BH_EINVALID, "the name %s is reserved; choose another one",
		                  name);
	}
	return 0;
}

int bh_identity_check_recipient(const char *name, struct bh_err *err)
{
	if (bh_identity_is_room(name) || bh_identity_is_same(name, "operator")) {
		return 0;
	}
	if (bh_identity_is_reserved(name)) {
		return bh_err_set(err, BH_EINVALID,
		                  "nobody reads mail to %s; send to a name of `bellhop list`, to a "
		                  "#room, or to operator",
		                  name);
	}
	return bh_identity_check(name, err);
}

void bh_identity_fold(const char *name, char folded_out[BH_IDENTITY_SIZE])
{
	size_t len = 0;

	while (len < BH_IDENTITY_SIZE - 1 && name[len] != '\0') {
		folded_out[len] = char_fold(name[len]);
		len++;
	}
	folded_out[len] = '\0';
}

bool bh_identity_is_same(const char *a, const char *b)
{
	while (*a != '\0' && char_fold(*a) == char_fold(*b)) {
		a++;
		b++;
	}
	return char_fold(*a) == char_fold(*b);
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

// One row of the table of distances between the beginnings of a and b ("optimal string alignment"):
// rows[0] is filled from the two before it. Gives the smallest number of the row.
static unsigned distance_row(const char *a, size_t i, const char *b, size_t b_len,
                             unsigned rows[3][BH_IDENTITY_SIZE])
{
	unsigned smallest = (unsigned)i;

	rows[0][0] = (unsigned)i;
	for (size_t j = 1; j <= b_len; j++) {
		unsigned differ = a[i - 1] != b[j - 1];

		rows[0][j] = min3(rows[1][j] + 1, rows[0][j - 1] + 1, rows[1][j - 1] + differ);
		if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
		    rows[2][j - 2] + 1 < rows[0][j]) {
			rows[0][j] = rows[2][j - 2] + 1;
		}
		smallest = rows[0][j] < smallest ? rows[0][j] : smallest;
	}
	return smallest;
}

uint64_t bh_identity_letters(const char *folded)
{
	uint64_t letters = 0;

	for (; *folded != '\0'; folded++) {
		letters |= UINT64_C(1) << ((unsigned char)*folded & 63);
	}
	return letters;
}

bool bh_identity_may_be_near(uint64_t a, uint64_t b, unsigned limit)
{
	return (unsigned)__builtin_popcountll(a & ~b) <= limit &&
	       (unsigned)__builtin_popcountll(b & ~a) <= limit;
}

unsigned bh_identity_distance(const char *a, const char *b, unsigned limit)
{
	char a_folded[BH_IDENTITY_SIZE] = "";
	char b_folded[BH_IDENTITY_SIZE] = "";
	unsigned rows[3][BH_IDENTITY_SIZE];
	size_t a_len, b_len;

	bh_identity_fold(a, a_folded);
	bh_identity_fold(b, b_folded);
	a_len = strlen(a_folded);
	b_len = strlen(b_folded);
	if (a_len > b_len + limit || b_len > a_len + limit) {
		return limit + 1;
	}
	memset(rows, 0, sizeof(rows));
	for (size_t j = 0; j <= b_len; j++) {
		rows[0][j] = (unsigned)j;
	}
	for (size_t i = 1; i <= a_len; i++) {
		memcpy(rows[2], rows[1], sizeof(rows[1]));
		memcpy(rows[1], rows[0], sizeof(rows[0]));
		if (distance_row(a_folded, i, b_folded, b_len, rows) > limit) {
			return limit + 1;
		}
	}
	return rows[0][b_len] > limit ? limit + 1 : rows[0][b_len];
}

void bh_identity_auto(const char *base, unsigned n, char name_out[BH_IDENTITY_SIZE])
{
	char suffix[16] = "";
	int room;

	if (!bh_identity_is_valid(base) || bh_identity_is_reserved(base)) {
		base = "agent";
	}
	if (n > 1) {
		(void)snprintf(suffix, sizeof(suffix), "-%u", n); // always fits
	}
	room = BH_IDENTITY_MAX - (int)strlen(suffix);
	(void)snprintf(name_out, BH_IDENTITY_SIZE, "%.*s%s", room, base, suffix); // cut on purpose
}
