/** @file
 * Follows the files into which an agent writes its turns (transcript, rollout): finds them through
 * the processes of the terminal, reads what is new line by line, in bounded pieces.
 */
#ifndef BH_AGENT_RECORD_H
#define BH_AGENT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Most files followed at once; a /clear or a resume begins a new one, and some agents do not tell
 * which of those in a folder is theirs. */
#define BH_RECORD_FILES_MAX 32
/** Bytes read from one file in one look. */
#define BH_RECORD_STEP (1024 * 1024)
/** Longest line (bytes); a longer one is passed over. */
#define BH_RECORD_LINE_MAX (4 * 1024 * 1024)
/** Most processes below the terminal's child that are looked at. */
#define BH_RECORD_PROCESSES_MAX 128

/** Files that are followed. */
struct bh_record;

/** Called for each complete line, NUL-terminated; true ends the look. */
typedef bool bh_record_line(const char *line, size_t len, void *user);

/** A record without files. */
struct bh_record *bh_record_new(void);

/** Close its files and free it. NULL is allowed. */
void bh_record_free(struct bh_record *record);

/**
 * Follow a file: known ones are left as they are, others are opened without following a link.
 *
 * @back
 *         Begin so many bytes before its end; at most its beginning.
 */
void bh_record_add(struct bh_record *record, const char *path, size_t back);

/** Whether no file is followed. */
bool bh_record_is_empty(const struct bh_record *record);

/**
 * Follow the files `*.jsonl` of a folder that were written to at @since_ms (ms since 1970) or later,
 * as bh_record_add().
 */
void bh_record_add_folder(struct bh_record *record, const char *folder, int64_t since_ms,
                          size_t back);

/** Begin anew, @back bytes before the end of each file that is followed. */
void bh_record_rewind(struct bh_record *record, size_t back);

/** Give each new complete line to @on_line (called within this call). */
void bh_record_look(struct bh_record *record, bh_record_line *on_line, void *user);

/** Path of the file whose line was given last; NULL: none was. Borrowed until it is given up. */
const char *bh_record_path(const struct bh_record *record);

/** Path of one of the files that are followed; NULL: there are not so many. Borrowed as above. */
const char *bh_record_file(const struct bh_record *record, size_t index);

/** The process and its descendants; gives their number, at most @max. */
size_t bh_record_processes(pid_t root, pid_t *out, size_t max);

/** The folder that a process works in; the caller frees. NULL: it cannot be told. */
char *bh_record_cwd(pid_t pid);

/** Called for each open file of a process. */
typedef void bh_record_open_file(const char *path, void *user);

/** Name the files that @pid has open (their /proc/PID/fd links), within this call. */
void bh_record_open_files(pid_t pid, bh_record_open_file *on_file, void *user);

#endif
