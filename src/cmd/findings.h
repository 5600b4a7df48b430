/** @file
 * What `doctor` found: a list that grows check by check and is printed for people or as JSON.
 */
#ifndef BH_CMD_FINDINGS_H
#define BH_CMD_FINDINGS_H

#include "src/base/err.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/** How bad it is. */
enum bh_finding_level {
	/** It was tried and works. */
	BH_FINDING_WORKS,
	/** It works, but not as well as it should, or not for long. */
	BH_FINDING_WARNING,
	/** It does not work. */
	BH_FINDING_PROBLEM,
};

/** The list. Zero-initialise; ends with bh_findings_clear(). */
struct bh_findings {
	/** The array of all; NULL: none yet. */
	cJSON *list;
	/** How many are no more than a warning, and how many are problems. */
	int warnings;
	int problems;
};

/** One thing that was found. Strings are borrowed for the call. */
struct bh_finding {
	/** Which check: one word. */
	const char *check;
	/** How bad. */
	enum bh_finding_level level;
	/** What it is about: a name or a path; NULL: the session. */
	const char *about;
	/** What is so; a sentence without a full stop. */
	const char *says;
	/** What to do; NULL only when there is nothing to do. */
	const char *advice;
};

/** Add one. */
void bh_findings_add(struct bh_findings *findings, const struct bh_finding *finding);

/** As JSON: {"problems", "warnings", "findings":[{"check", "level", "about", "says", "advice"}]}.
 * The caller deletes it. */
cJSON *bh_findings_json(const struct bh_findings *findings);

/** For people: a line for each, and its advice below it. */
void bh_findings_print(const struct bh_findings *findings, FILE *out);

/** Drop all. */
void bh_findings_clear(struct bh_findings *findings);

#endif
