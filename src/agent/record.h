/** @file
 * Follows the files into which an agent writes its turns (transcript, rollout): finds them through
 * the processes of the terminal, reads what is new line by line, in bounded pieces.
 */
#ifndef BH_AGENT_RECORD_H
#define BH_AGENT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Most files followed at once; a /clear or a resume begins a new one. */
#define BH_RECORD_FILES_MAX 8
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

/** Begin anew, @back bytes before the end of each file that is followed. */
void bh_record_rewind(struct bh_record *record, size_t back);

/** Give each new complete line to @on_line (called within this call). */
void bh_record_look(struct bh_record *record, bh_record_line *on_line, void *user);

/** The process and its descendants; gives their number, at most @max. */
size_t bh_record_processes(pid_t root, pid_t *out, size_t max);

/** Called for each open file of a process. */
typedef void bh_record_open_file(const char *path, void *user);

/** Name the files that @pid has open (their /proc/PID/fd links), within this call. */
void bh_record_open_files(pid_t pid, bh_record_open_file *on_file, void *user);

#endif
