/** @file
 * Making processes: the child of a terminal, and the server.
 */
#ifndef BH_KEEPER_CHILD_H
#define BH_KEEPER_CHILD_H

#include "src/keeper/table.h"
#include "src/keeper/wire.h"

/**
 * Create PTY and tape and fork the child of a terminal.
 *
 * @request
 *         The message.
 * @strings_fd
 *         Its memfd; borrowed.
 * @entry
 *         A free entry; on success it is STARTING, on failure still free.
 * @error_out
 *         On failure the errno.
 * @return
 *         BH_WIRE_STAGE_NONE, or the step that failed.
 */
enum bh_wire_stage bh_child_spawn(const struct bh_table *table, const struct bh_wire_spawn *request,
                                  int strings_fd, struct bh_entry *entry, int *error_out);

/** What a child writes to its pipe when it cannot exec. */
struct bh_child_failure {
	/** One of enum bh_wire_stage. */
	int32_t stage;
	/** An errno. */
	int32_t error;
};

/**
 * Fork the server: @argv with "--keeper-fd N" appended, N being the other end of @fd_out.
 *
 * @argc
 *         Number of arguments; the vector has room for three more.
 * @return
 *         Its pid, or -errno. A failed exec ends it with BH_WIRE_EXIT_HOPELESS after it wrote why to
 *         table->server.complaint.
 */
int bh_child_start_server(struct bh_table *table, char **argv, int argc, int *fd_out);

/**
 * Send @signal to every process whose session is one of the doomed entries, or to @only alone.
 *
 * @only
 *         Session to signal; 0: those of the doomed entries.
 * @signal
 *         0: only count.
 * @return
 *         Number of processes, zombies not counted; -errno when /proc cannot be read.
 */
int bh_child_signal_sessions(struct bh_table *table, int32_t only, int signal);

#endif
