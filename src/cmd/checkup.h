/** @file
 * The checks of `doctor`. Each tries what it is about and adds what it found.
 */
#ifndef BH_CMD_CHECKUP_H
#define BH_CMD_CHECKUP_H

#include "src/cmd/findings.h"
#include "src/cmd/session.h"

struct bh_cmd;

/** How long a check waits for the server (ms): what takes longer does not work. */
#define BH_CHECKUP_MS 5000

/** A checkup under way. */
struct bh_checkup {
	/** The command. */
	const struct bh_cmd *cmd;
	/** The session; its client is NULL while no server was reached. */
	struct bh_session session;
	/** The server answered: its folders are there. */
	bool is_reached;
	/** What was found so far. */
	struct bh_findings findings;
};

/** Add a finding; the format makes its `says`. */
void bh_checkup_say(struct bh_checkup *checkup, const struct bh_finding *finding,
                    const char *format, ...) __attribute__((format(printf, 3, 4)));

/**
 * Call a method of the server. @params is taken.
 *
 * @return
 *         The result, which the caller deletes; NULL with @err.
 */
cJSON *bh_checkup_call(struct bh_checkup *checkup, const char *method, cJSON *params,
                       long timeout_ms, struct bh_err *err);

/** Folders, permissions, room on the disk, settings and profiles of the user; needs no server. */
void bh_checkup_files(struct bh_checkup *checkup);

/** The server: its version, its store, its keeper. Gives whether the other checks can be tried. */
bool bh_checkup_server(struct bh_checkup *checkup);

/** Each agent that runs: its way to the server, its hooks, its version, its profile. */
void bh_checkup_agents(struct bh_checkup *checkup);

/** A probe agent: started, found idle, sent mail, ended. */
void bh_checkup_probe(struct bh_checkup *checkup);

#endif
