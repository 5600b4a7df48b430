/**
 * Runs a fuzz target without libFuzzer: every file of its corpus as it is, then splices of those
 * files made from a fixed seed, so that each run of `make check` does the same. Arguments: files to
 * run instead.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	INPUT_MAX = 1 << 20,
	FILES_MAX = 1024,
	SPLICES = 3000,
};

struct input {
	uint8_t *data;
	size_t size;
};

struct corpus {
	struct input inputs[FILES_MAX];
	size_t count;
};

static struct input input_read(const char *path)
{
	struct input input = {.data = malloc(INPUT_MAX)};
	FILE *file = fopen(path, "rb");

	if (file == NULL || input.data == NULL) {
		(void)fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	input.size = fread(input.data, 1, INPUT_MAX, file);
	(void)fclose(file); // read only
	return input;
}

/** A copy of exactly the right size, so that reading past its end is found. */
static void run_exactly(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size > 0 ? size : 1);

	if (copy == NULL) {
		exit(1);
	}
	memcpy(copy, data, size);
	(void)LLVMFuzzerTestOneInput(copy, size); // always 0
	free(copy);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void corpus_read(struct corpus *corpus, const char *folder)
{
	struct dirent **names;
	int count = scandir(folder, &names, NULL, by_name);
	char path[8192];

	for (int i = 0; i < count; i++) {
		if (names[i]->d_name[0] != '.' && corpus->count < FILES_MAX) {
			(void)snprintf(path, sizeof(path), "%s/%s", folder,
			               names[i]->d_name); // a cut name is not found
			corpus->inputs[corpus->count++] = input_read(path);
		}
		free(names[i]);
	}
	if (count >= 0) {
		free(names);
	}
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525U + 1013904223U;
	return *state >> 8;
}

/** The beginning of one input and the end of another, some bytes changed. */
static void run_splice(const struct corpus *corpus, uint32_t *random)
{
	const struct input *a = &corpus->inputs[next_random(random) % corpus->count];
	const struct input *b = &corpus->inputs[next_random(random) % corpus->count];
	size_t head = next_random(random) % (a->size + 1);
	size_t skip = next_random(random) % (b->size + 1);
	size_t size = head + b->size - skip;
	uint8_t *data = malloc(size + 1);

	if (data == NULL) {
		exit(1);
	}
	memcpy(data, a->data, head);
	memcpy(data + head, b->data + skip, b->size - skip);
	for (uint32_t changes = next_random(random) % 4; size > 0 && changes > 0; changes--) {
		data[next_random(random) % size] = (uint8_t)next_random(random);
	}
	run_exactly(data, size);
	free(data);
}

static void corpus_run(struct corpus *corpus)
{
	uint32_t random = 1;

	for (size_t i = 0; i < corpus->count; i++) {
		run_exactly(corpus->inputs[i].data, corpus->inputs[i].size);
	}
	for (int i = 0; i < SPLICES; i++) {
		run_splice(corpus, &random);
	}
	printf("%zu inputs, %d splices\n", corpus->count, SPLICES);
	for (size_t i = 0; i < corpus->count; i++) {
		free(corpus->inputs[i].data);
	}
}

int main(int argc, char **argv)
{
	static struct corpus corpus;
	const char *top = getenv("BELLHOP_TEST_SRCDIR");
	const char *name = strrchr(argv[0], '/');
	char folder[4096];

	name = name != NULL ? name + 1 : argv[0];
	for (int i = 1; i < argc; i++) {
		struct input input = input_read(argv[i]);

		run_exactly(input.data, input.size);
		free(input.data);
	}
	if (argc > 1) {
		return 0;
	}
	(void)snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus-%s", top != NULL ? top : ".",
	               name); // a cut name is not found
	corpus_read(&corpus, folder);
	if (corpus.count == 0) {
		(void)fprintf(stderr, "no corpus in %s\n", folder);
		return 1;
	}
	corpus_run(&corpus);
	return 0;
}
