// The agent room's readers of outside bytes. The first byte chooses: p profile, c recording, k keys of
// a person, s settings of the user, l payload of a hook, t line of a record, v screen under all profiles.
#include "src/agent/launch.h"
#include "src/agent/person.h"
#include "src/agent/profile.h"
#include "src/agent/profile_data.h"
#include "src/agent/proof.h"
#include "src/agent/replay.h"
#include "src/agent/rules.h"
#include "src/agent/turn_line.h"
#include "src/base/mem.h"
#include "term/screen.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_profile(const char *text, size_t len)
{
	bh_profile_free(bh_profile_read(text, len, "fuzz", NULL));
}

static void try_cast(const char *text, size_t len, const struct bh_profiles *set)
{
	struct bh_replay_options options = {.profile = bh_profiles_find(set, "claude")};
	char *copy = bh_xmemdup(text, len);
	FILE *in = len ? fmemopen(copy, len, "r") : NULL;

	if (in) {
		(void)bh_replay_run(in, "fuzz", set, &options, NULL, NULL);
		(void)fclose(in);
	}
	free(copy);
}

static void try_keys(const char *text, size_t len)
{
	struct bh_person person = {0};
	const unsigned char *at = (const unsigned char *)text;
	const unsigned char *end = at + len;
	enum bh_input what;
	size_t count = 0;

	while (bh_person_next(&person, &at, end, &what)) {
		count++;
	}
	if (count > len) {
		abort(); // more things than bytes: it would never end
	}
}

static void try_settings(const char *text, size_t len, const struct bh_profiles *set)
{
	char *given = bh_xmemdup(text, len);
	const char *const argv[] = {"claude", "--settings", given, NULL};
	const char *const codex[] = {"codex", "-c", given, NULL};
	struct bh_launch_context context = {.bellhop_path = "/x", .spool_path = "/y"};
	struct bh_launch launch;

	if (bh_launch_prepare(bh_profiles_find(set, "claude"), argv, &context, &launch, NULL) ==
	    0) {
		bh_launch_clear(&launch);
	}
	if (bh_launch_prepare(bh_profiles_find(set, "codex"), codex, &context, &launch, NULL) ==
	    0) {
		bh_launch_clear(&launch);
	}
	free(given);
}

static void try_payload(const char *text, size_t len, const struct bh_profiles *set)
{
	struct bh_proof_place place = {.config_folder = "/nonexistent"};
	struct bh_proof *proof = bh_proof_new(bh_profiles_find(set, "claude"), &place);
	struct bh_typed_text mail = {.mark = "Mail m1 from", .text = "Mail m1 from x:\n| y"};
	cJSON *payload = cJSON_ParseWithLength(text, len);

	bh_proof_begin(proof, &mail, true);
	bh_proof_hook(proof, "UserPromptSubmit", payload);
	(void)bh_proof_look(proof, NULL, true);
	bh_proof_free(proof);
	cJSON_Delete(payload);
}

static void try_line(const char *text, size_t len)
{
	const struct bh_turn_sought sought = {.mark = "Mail m1 from", .since_ms = 1};
	char *line = bh_xmemdup(text, len);

	for (int kind = BH_PROOF_KIND_NONE; kind <= BH_PROOF_KIND_OPENCODE; kind++) {
		(void)bh_turn_line((enum bh_proof_kind)kind, &sought, line, len);
	}
	(void)bh_turn_part(&sought, line);
	free(line);
}

static void try_screen(const char *text, size_t len, const struct bh_profiles *set)
{
	struct bh_screen_settings settings = {.cols = 40, .rows = 12};
	struct bh_screen *screen = bh_screen_new(&settings);
	struct bh_typed_text mail = {.mark = "Mail m1 from", .text = "Mail m1 from x:\n| y"};

	bh_screen_feed(screen, text, len, 1);
	for (size_t i = 0; i < bh_profiles_count(set); i++) {
		const struct bh_profile *profile = bh_profiles_at(set, i);
		struct bh_judge *judge = bh_judge_new(profile, 1);
		struct bh_verdict verdict;

		bh_judge_output(judge, screen, 1);
		for (uint64_t now_ms = 1; now_ms < 20000; now_ms += 1700) {
			bh_judge_evaluate(judge, screen, now_ms, &verdict);
			if (verdict.is_typable && verdict.composer != BH_COMPOSER_EMPTY) {
				abort();
			}
		}
		cJSON_Delete(bh_judge_explain(judge, screen, 20000));
		(void)bh_proof_echo(profile, screen, &mail);
		bh_judge_free(judge);
	}
	bh_screen_free(screen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	const char *text = (const char *)data + 1;

	switch (size ? data[0] : 0) {
	case 'p':
		try_profile(text, size - 1);
		break;
	case 'c':
		try_cast(text, size - 1, set);
		break;
	case 'k':
		try_keys(text, size - 1);
		break;
	case 's':
		try_settings(text, size - 1, set);
		break;
	case 'l':
		try_payload(text, size - 1, set);
		break;
	case 't':
		try_line(text, size - 1);
		break;
	case 'v':
		try_screen(text, size - 1, set);
		break;
	default:
		break;
	}
	bh_profiles_free(set);
	return 0;
}
