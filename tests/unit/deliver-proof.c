// What the reader of proofs of an agent of the world says: it is the agent itself, as its screen.
#include "tests/unit/deliver-world.h"

#include <stdlib.h>
#include <string.h>

#include "src/agent/proof.h"

static const struct agent *agent_of_screen(const struct bh_screen *screen)
{
	return (const struct agent *)(const void *)screen;
}

static struct agent *agent_of_proof(const struct bh_proof *proof)
{
	return (struct agent *)(uintptr_t)proof;
}

void bh_proof_begin(struct bh_proof *proof, const struct bh_typed_text *mail, bool is_late)
{
	struct agent *agent = agent_of_proof(proof);

	free(agent->sought);
	agent->sought = strdup(mail->text);
	assert_memory_equal(mail->text, mail->mark, strlen(mail->mark));
	if (!is_late) {
		agent->found = BH_PROOF_NOWHERE;
	}
}

void bh_proof_submitted(struct bh_proof *proof, const struct bh_screen *screen, uint64_t now_ms)
{
	(void)screen;
	(void)now_ms;
	assert_true(agent_of_proof(proof)->crs > 0);
}

enum bh_proof_found bh_proof_look(struct bh_proof *proof, const struct bh_screen *screen,
                                  bool is_working)
{
	(void)screen;
	(void)is_working;
	return agent_of_proof(proof)->found;
}

const char *bh_proof_source(const struct bh_proof *proof)
{
	return agent_of_proof(proof)->found == BH_PROOF_SUBMITTED ? "transcript" : NULL;
}

bool bh_proof_holds(const struct bh_proof *proof, const struct bh_typed_text *mail,
                    const struct bh_proof_now *now)
{
	struct agent *agent = agent_of_proof(proof);

	assert_non_null(now->screen);
	assert_ptr_equal(now->record, agent->session_record);
	assert_true(mail->typed_ms > 0);
	agent->looks_back++;
	return agent->record != NULL && strstr(agent->record, mail->text) != NULL;
}

bool bh_proof_awaits_transcript(const struct bh_profile *profile, const struct bh_screen *screen)
{
	(void)profile;
	return agent_of_screen(screen)->is_undrawn;
}

enum bh_echo bh_proof_echo(const struct bh_profile *profile, const struct bh_screen *screen,
                           const struct bh_typed_text *mail)
{
	const struct agent *agent = agent_of_screen(screen);

	(void)profile;
	if (agent->composer == NULL || agent->verdict.composer == BH_COMPOSER_NONE) {
		return BH_ECHO_NONE;
	}
	if (strcmp(agent->composer, mail->text) == 0) {
		return BH_ECHO_OURS;
	}
	return strstr(agent->composer, mail->mark) != NULL ? BH_ECHO_MIXED : BH_ECHO_OTHER;
}
