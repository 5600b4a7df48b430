/** @file
 * Error codes and the two-part error: a code for the program, a sentence for a person.
 *
 * A function that can fail returns 0 or a negative code: -errno of the operating system, or one of
 * ours from BH_ERR_LIST. Where a person will read it, a last parameter `struct bh_err *err` (NULL
 * allowed) is filled once, where the failure is known: verb, object, reason, no capital, no full
 * stop ("open mailbox ci: permission denied"). Callers add context with bh_err_prefix().
 */
#ifndef BH_BASE_ERR_H
#define BH_BASE_ERR_H

#include <stdarg.h>
#include <stddef.h>

/** Our own codes: X(NAME, number, word in the protocol, sentence). Numbers are below any -errno. */
#define BH_ERR_LIST(X) \
	X(BH_EINVALID, -10001, "invalid", "the input is not valid") \
	X(BH_ELIMIT, -10002, "limit", "a limit was exceeded") \
	X(BH_EBUSY, -10003, "busy", "a queue is full; nothing was stored") \
	X(BH_ENOTFOUND, -10004, "not_found", "no such thing") \
	X(BH_EEXISTS, -10005, "exists", "it exists already") \
	X(BH_EVERSION, -10006, "version", "it was written by a newer version") \
	X(BH_ECORRUPT, -10007, "corrupt", "the data is damaged") \
	X(BH_EDENIED, -10008, "denied", "the caller may not do this") \
	X(BH_EPROTOCOL, -10009, "protocol", "the other side broke the protocol") \
	X(BH_ECLOSED, -10010, "closed", "the other side closed the connection") \
	X(BH_ETIMEOUT, -10011, "timeout", "the time limit passed") \
	X(BH_EUNSUPPORTED, -10012, "unsupported", "this is not supported here") \
	X(BH_ENOTMEMBER, -10013, "not_member", "the caller is not in this room") \
	X(BH_ETASKENDED, -10014, "task_ended", "the task has ended")

/** Codes of ours, all negative. */
enum bh_code {
	BH_OK = 0,
// NOLINTNEXTLINE(bugprone-macro-parentheses): an enumerator's name takes none.
#define BH_ERR_ENUM(name, number, word, text) name = (number),
	BH_ERR_LIST(BH_ERR_ENUM)
#undef BH_ERR_ENUM
};

/** Longest sentence in struct bh_err, its NUL included (bytes). */
#define BH_ERR_TEXT_MAX 256

/** An error: what the program decides by, and what a person reads. */
struct bh_err {
	/** 0, -errno or a BH_E code. */
	int code;
	/** A NUL-terminated sentence; cut at BH_ERR_TEXT_MAX. */
	char text[BH_ERR_TEXT_MAX];
};

/**
 * Fill @err (NULL allowed) and give @code back, so that `return bh_err_set(err, …)` reads well.
 * With @code from errno, append the system's word for it yourself or use bh_err_sys().
 */
int bh_err_set(struct bh_err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** As bh_err_set() with code -@errnum, and ": <strerror>" added to the sentence. */
int bh_err_sys(struct bh_err *err, int errnum, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Put "<formatted>: " before the sentence of @err (NULL allowed); gives err's code back, or 0. */
int bh_err_prefix(struct bh_err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** The word of a code as it stands in the protocol ("busy", "errno" for a system code). Static. */
const char *bh_err_word(int code);

/** The sentence for a code; for -errno the system's. Static or until the next strerror(). */
const char *bh_err_text(int code);

/** An impossible state: print file and line to standard error and abort. Never for outside input. */
#define BH_BUG(what) bh_bug(__FILE__, __LINE__, what)

/** What BH_BUG() calls. Does not return. */
_Noreturn void bh_bug(const char *file, int line, const char *what);

#endif
