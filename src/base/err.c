#include "src/base/err.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bh_err_set(struct bh_err *err, int code, const char *format, ...)
{
	if (err != NULL) {
		va_list args;

		err->code = code;
		va_start(args, format);
		(void)vsnprintf(err->text, sizeof(err->text), format, args); // cut is allowed
		va_end(args);
	}
	return code;
}

int bh_err_sys(struct bh_err *err, int errnum, const char *format, ...)
{
	if (err != NULL) {
		va_list args;
		size_t used;

		err->code = -errnum;
		va_start(args, format);
		(void)vsnprintf(err->text, sizeof(err->text), format, args); // cut is allowed
		va_end(args);
		used = strlen(err->text);
		(void)snprintf(err->text + used, sizeof(err->text) - used, ": %s",
		               strerror(errnum));
	}
	return -errnum;
}

int bh_err_prefix(struct bh_err *err, const char *format, ...)
{
	char old[BH_ERR_TEXT_MAX];
	va_list args;
	size_t used;

	if (err == NULL) {
		return 0;
	}
	memcpy(old, err->text, sizeof(old));
	va_start(args, format);
	(void)vsnprintf(err->text, sizeof(err->text), format, args); // cut is allowed
	va_end(args);
	used = strlen(err->text);
	(void)snprintf(err->text + used, sizeof(err->text) - used, ": %.*s", BH_ERR_TEXT_MAX - 1,
	               old);
	return err->code;
}

const char *bh_err_word(int code)
{
	switch (code) {
	case BH_OK:
		return "ok";
#define BH_ERR_WORD(name, number, word, text) \
	case name: \
		return word;
		BH_ERR_LIST(BH_ERR_WORD)
#undef BH_ERR_WORD
	default:
		return "errno";
	}
}

const char *bh_err_text(int code)
{
	switch (code) {
	case BH_OK:
		return "no error";
#define BH_ERR_SENTENCE(name, number, word, text) \
	case name: \
		return text;
		BH_ERR_LIST(BH_ERR_SENTENCE)
#undef BH_ERR_SENTENCE
	default:
		return strerror(-code);
	}
}

void bh_bug(const char *file, int line, const char *what)
{
	(void)fprintf(stderr, "bellhop: bug at %s:%d: %s\n", file, line, what);
	abort();
}
