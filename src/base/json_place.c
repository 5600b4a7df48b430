#include "src/base/json_place.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/** A place in the text. */
struct place {
	const char *at;
	const char *end;
};

static void place_skip_blanks(struct place *place)
{
	while (place->at < place->end && isspace((unsigned char)*place->at)) {
		place->at++;
	}
}

/** Step over a string; the place stands on its opening quote. */
static void place_skip_string(struct place *place)
{
	place->at++;
	while (place->at < place->end && *place->at != '"') {
		place->at += *place->at == '\\' ? 2 : 1;
	}
	place->at++;
}

/** Step over any value, counting brackets instead of recursing. */
static void place_skip_value(struct place *place)
{
	int depth = 0;

	do {
		place_skip_blanks(place);
		if (place->at >= place->end) {
			return;
		}
		if (*place->at == '"') {
			place_skip_string(place);
		} else if (strchr("[{", *place->at)) {
			depth++;
			place->at++;
		} else if (strchr("]}", *place->at)) {
			depth--;
			place->at++;
		} else if (strchr(",:", *place->at)) {
			place->at++;
		} else {
			while (place->at < place->end && !strchr(",:]} \t\r\n", *place->at)) {
				place->at++;
			}
		}
	} while (depth > 0);
}

/** Go into the container at the place, to the member @key (of @len bytes). */
static bool place_enter(struct place *place, const char *key, size_t len)
{
	struct place step = *place;
	bool is_object;
	int index = 0;
	int wanted = 0;

	place_skip_blanks(&step);
	if (step.at >= step.end || !strchr("[{", *step.at)) {
		return false;
	}
	is_object = *step.at == '{';
	for (size_t i = 0; i < len && isdigit((unsigned char)key[i]); i++) {
		wanted = wanted * 10 + (key[i] - '0');
	}
	step.at++;
	for (;;) {
		bool found;

		place_skip_blanks(&step);
		if (step.at >= step.end || strchr("]}", *step.at)) {
			return false;
		}
		found = index++ == wanted;
		if (is_object) {
			found = (size_t)(step.end - step.at) > len + 1 && step.at[len + 1] == '"' &&
			        memcmp(step.at + 1, key, len) == 0;
			place_skip_string(&step);
			place_skip_blanks(&step);
			step.at++;
		}
		place_skip_blanks(&step);
		if (found) {
			*place = step;
			return true;
		}
		place_skip_value(&step);
		place_skip_blanks(&step);
		step.at += step.at < step.end && *step.at == ',' ? 1 : 0;
	}
}

int bh_json_place_line(const char *text, size_t len, const char *path)
{
	struct place place = {.at = text, .end = text + len};
	int line = 1;

	while (*path) {
		size_t part = strcspn(path, ".");

		if (!place_enter(&place, path, part)) {
			break;
		}
		path += part + (path[part] == '.' ? 1 : 0);
	}
	for (const char *at = text; at < place.at && at < text + len; at++) {
		line += *at == '\n' ? 1 : 0;
	}
	return line;
}
