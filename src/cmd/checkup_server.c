#include "src/cmd/checkup.h"

#include "src/base/limits.h"
#include "src/cmd/print.h"

#include <string.h>

/** Slower than this a store makes every send slow (ms). */
#define STORE_SLOW_MS 500
/** From this share of its table on the keeper is nearly full (percent). */
#define TABLE_FULL_PERCENT 90

static bool check_version(struct bh_checkup *checkup)
{
	struct bh_err err = {0};
	cJSON *info = bh_checkup_call(checkup, "server.info", NULL, BH_CHECKUP_MS, &err);
	const char *version = bh_print_str(info, "version", "?");

	if (info == NULL) {
		bh_checkup_say(checkup,
		               &(struct bh_finding){.check = "server",
		                                    .level = BH_FINDING_PROBLEM,
		                                    .advice =
		                                            "see its log; `bellhop server stop "
		                                            "--force` ends it with all terminals"},
		               "%s", err.text);
		return false;
	}
	if (strcmp(version, PACKAGE_VERSION) != 0 ||
	    (int)bh_print_num(info, "protocol", 0) != BH_PROTOCOL_VERSION) {
		bh_checkup_say(checkup,
		               &(struct bh_finding){.check = "server",
		                                    .level = BH_FINDING_WARNING,
		                                    .advice = "`bellhop upgrade` restarts it; "
		                                              "terminals live on"},
		               "it is version %s (protocol %.0f), this program is " PACKAGE_VERSION
		               " (protocol %d)",
		               version, bh_print_num(info, "protocol", 0), BH_PROTOCOL_VERSION);
	} else {
		bh_checkup_say(checkup, &(struct bh_finding){.check = "server"},
		               "it answers, version %s; terminals: %.0f", version,
		               bh_print_num(info, "terminals", 0));
	}
	cJSON_Delete(info);
	return true;
}

static bool check_store(struct bh_checkup *checkup)
{
	struct bh_err err = {0};
	cJSON *result = bh_checkup_call(checkup, "doctor.store", NULL, BH_CHECKUP_MS, &err);
	double took_ms = bh_print_num(result, "took_ms", 0);
	struct bh_finding finding = {.check = "store", .about = checkup->session.paths.mail_db};

	if (result == NULL) {
		finding.level = BH_FINDING_PROBLEM;
		finding.advice = "look at that disk: no mail can be stored now";
		bh_checkup_say(checkup, &finding, "a write to it failed: %s", err.text);
	} else if (took_ms >= STORE_SLOW_MS) {
		finding.level = BH_FINDING_WARNING;
		finding.advice = "every send waits so long; put BELLHOP_STATE_DIR on a faster disk";
		bh_checkup_say(checkup, &finding, "a write took %.0f ms to be on disk", took_ms);
	} else {
		bh_checkup_say(checkup, &finding, "a write was on disk after %.0f ms", took_ms);
	}
	cJSON_Delete(result);
	return finding.level != BH_FINDING_PROBLEM;
}

static bool check_keeper(struct bh_checkup *checkup)
{
	struct bh_err err = {0};
	cJSON *result = bh_checkup_call(checkup, "doctor.keeper", NULL, BH_CHECKUP_MS, &err);
	double used = bh_print_num(result, "used", 0);
	double entries = bh_print_num(result, "entries", 0);
	double crashes = bh_print_num(result, "crashes", 0);
	struct bh_finding finding = {.check = "keeper"};

	if (result == NULL) {
		finding.level = BH_FINDING_PROBLEM;
		finding.advice = "no terminal can be started or ended; see keeper.log beside the "
				 "server's log. Its terminals live as long as it does";
		bh_checkup_say(checkup, &finding, "%s", err.text);
		return false;
	}
	bh_checkup_say(checkup, &finding,
	               "it answered after %.0f ms and holds %.0f of at most %.0f terminals",
	               bh_print_num(result, "took_ms", 0), used, entries);
	finding.level = BH_FINDING_WARNING;
	if (entries > 0 && used * 100 >= entries * TABLE_FULL_PERCENT) {
		finding.advice = "end terminals that are not needed";
		bh_checkup_say(checkup, &finding, "its table is nearly full");
	}
	if (crashes > 0) {
		finding.advice = "the reasons stand in server.log; report them as bugs";
		bh_checkup_say(checkup, &finding, "the server crashed %.0f times in this session",
		               crashes);
	}
	cJSON_Delete(result);
	return true;
}

bool bh_checkup_server(struct bh_checkup *checkup)
{
	if (!check_version(checkup)) {
		return false;
	}
	bool has_store = check_store(checkup);
	bool has_keeper = check_keeper(checkup);

	if (!has_store || !has_keeper) {
		bh_checkup_say(checkup,
		               &(struct bh_finding){.check = "spawn",
		                                    .level = BH_FINDING_WARNING,
		                                    .advice = "mend that first"},
		               "not tried: the %s does not answer", has_store ? "keeper" : "store");
	}
	return has_store && has_keeper;
}
