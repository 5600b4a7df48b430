/** @file
 * What the UI remembers of a person from one time to the next, in a file of its own: the settings are
 * the person's.
 */
#ifndef BH_UI_REMEMBERED_H
#define BH_UI_REMEMBERED_H

#include "src/base/err.h"

/** All of it. Zero-initialise: nothing. */
struct bh_remembered {
	/** The width that the sidebar was dragged to; 0: none. */
	int sidebar_columns;
	/** What the settings said of it then. When they say something else, they hold. */
	int sidebar_configured;
};

/** Read the file @path; one that is not there, or is none of ours, has nothing. */
void bh_remembered_load(struct bh_remembered *remembered, const char *path);

/** Write it. 0, or a code with words in @err. */
int bh_remembered_save(const struct bh_remembered *remembered, const char *path,
                       struct bh_err *err);

#endif
