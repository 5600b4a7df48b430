/** @file
 * A strict reader of one JSON text: every key must be known, every value of the right kind, and the
 * first thing that is wrong is told with file, line and key. Once it failed, all further reads give
 * their default, so callers check once at the end.
 */
#ifndef BH_AGENT_JSON_READ_H
#define BH_AGENT_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_err;
struct cJSON;

/** Longest path to a value that is told in full (bytes). */
#define BH_JSON_PATH_MAX 160

/** A reader. Filled by bh_json_read_start(). */
struct bh_json_reader {
	/** What to call the text in errors. */
	const char *origin;
	/** The text, for line numbers. */
	const char *text;
	/** Its length. */
	size_t len;
	/** Where to tell what is wrong; NULL allowed. */
	struct bh_err *err;
	/** Path to the container that is being read: "rules.3". */
	char path[BH_JSON_PATH_MAX];
	/** Something was wrong. */
	bool has_failed;
};

/**
 * Parse @text. On failure NULL, the reader has failed and @err tells "ORIGIN:LINE: …".
 * The caller frees the tree with cJSON_Delete(); the text must outlive the reader.
 */
struct cJSON *bh_json_read_start(struct bh_json_reader *reader, const char *origin,
                                 const char *text, size_t len, struct bh_err *err);

/** Say that the value of @key (NULL: the container itself) is wrong. The first call counts. */
void bh_json_read_fail(struct bh_json_reader *reader, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Go into the container @key, or array element @index when @key is NULL; returns what
 * bh_json_read_leave() needs to come back. */
size_t bh_json_read_enter(struct bh_json_reader *reader, const char *key, int index);

/** Come back out. */
void bh_json_read_leave(struct bh_json_reader *reader, size_t mark);

/** Fail on the first member of @object that is not in @keys (NULL-terminated). */
void bh_json_read_only(struct bh_json_reader *reader, const struct cJSON *object,
                       const char *const *keys);

/** The string at @key, borrowed from the tree; @fallback when it is not there. */
const char *bh_json_read_text(struct bh_json_reader *reader, const struct cJSON *object,
                              const char *key, const char *fallback);

/** The whole number at @key, which must be from @low to @high; @fallback when it is not there. */
int bh_json_read_number(struct bh_json_reader *reader, const struct cJSON *object, const char *key,
                        const int range[2], int fallback);

/** The boolean at @key; @fallback when it is not there. */
bool bh_json_read_bool(struct bh_json_reader *reader, const struct cJSON *object, const char *key,
                       bool fallback);

/** The array at @key, or NULL when it is not there. */
const struct cJSON *bh_json_read_array(struct bh_json_reader *reader, const struct cJSON *object,
                                       const char *key);

/** The object at @key, or NULL when it is not there. */
const struct cJSON *bh_json_read_object(struct bh_json_reader *reader, const struct cJSON *object,
                                        const char *key);

/** Strings of the array at @key as a NULL-terminated list of copies; never NULL. */
char **bh_json_read_texts(struct bh_json_reader *reader, const struct cJSON *object,
                          const char *key);

/** Index of the word at @key in @words (NULL-terminated); @fallback when it is not there. */
int bh_json_read_word(struct bh_json_reader *reader, const struct cJSON *object, const char *key,
                      const char *const *words, int fallback);

#endif
