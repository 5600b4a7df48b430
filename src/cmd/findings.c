#include "src/cmd/findings.h"

#include "src/base/buf.h"
#include "src/cmd/print.h"

static const char *const level_words[] = {
	[BH_FINDING_WORKS] = "works",
	[BH_FINDING_WARNING] = "warning",
	[BH_FINDING_PROBLEM] = "problem",
};

static void text_add(cJSON *object, const char *name, const char *text)
{
	if (text == NULL) {
		(void)cJSON_AddNullToObject(object, name);
	} else {
		(void)cJSON_AddStringToObject(object, name, text);
	}
}

void bh_findings_add(struct bh_findings *findings, const struct bh_finding *finding)
{
	cJSON *object = cJSON_CreateObject();

	if (findings->list == NULL) {
		findings->list = cJSON_CreateArray();
	}
	(void)cJSON_AddStringToObject(object, "check", finding->check);
	(void)cJSON_AddStringToObject(object, "level", level_words[finding->level]);
	text_add(object, "about", finding->about);
	(void)cJSON_AddStringToObject(object, "says", finding->says);
	text_add(object, "advice", finding->advice);
	(void)cJSON_AddItemToArray(findings->list, object);
	findings->warnings += finding->level == BH_FINDING_WARNING;
	findings->problems += finding->level == BH_FINDING_PROBLEM;
}

cJSON *bh_findings_json(const struct bh_findings *findings)
{
	cJSON *json = cJSON_CreateObject();

	(void)cJSON_AddNumberToObject(json, "problems", findings->problems);
	(void)cJSON_AddNumberToObject(json, "warnings", findings->warnings);
	(void)cJSON_AddItemToObject(json, "findings",
	                            findings->list == NULL ? cJSON_CreateArray()
	                                                   : cJSON_Duplicate(findings->list, true));
	return json;
}

void bh_findings_print(const struct bh_findings *findings, FILE *out)
{
	const cJSON *finding = NULL;

	cJSON_ArrayForEach(finding, findings->list)
	{
		const char *about = bh_print_str(finding, "about", NULL);
		const char *advice = bh_print_str(finding, "advice", NULL);
		struct bh_buf line = {0};

		bh_buf_printf(&line, "%-8s %s: ", bh_print_str(finding, "level", ""),
		              bh_print_str(finding, "check", ""));
		if (about != NULL) {
			bh_buf_printf(&line, "%s: ", about);
		}
		bh_buf_puts(&line, bh_print_str(finding, "says", ""));
		bh_buf_puts(&line, "\n");
		if (advice != NULL) {
			bh_buf_printf(&line, "         -> %s\n", advice);
		}
		bh_print_text(out, line.data);
		bh_buf_clear(&line);
	}
	(void)fprintf(out, "%d problem%s, %d warning%s\n", findings->problems,
	              findings->problems == 1 ? "" : "s", findings->warnings,
	              findings->warnings == 1 ? "" : "s");
}

void bh_findings_clear(struct bh_findings *findings)
{
	cJSON_Delete(findings->list);
	*findings = (struct bh_findings){0};
}
