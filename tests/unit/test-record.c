// Records: what is new in the files that an agent writes, line by line; its processes and files.
#include "src/agent/record.h"

#include "src/base/mem.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/** A folder with record files, and what was read of them. */
struct desk {
	char folder[32];
	struct bh_record *record;
	char seen[512];
	/** The look ends behind this line; NULL: it does not. */
	const char *stop;
};

static int desk_open(void **state)
{
	struct desk *desk = bh_xmalloc(sizeof *desk);

	(void)snprintf(desk->folder, sizeof desk->folder, "/tmp/bellhop-record-XXXXXX");
	assert_non_null(mkdtemp(desk->folder));
	desk->record = bh_record_new();
	*state = desk;
	return 0;
}

static int desk_close(void **state)
{
	struct desk *desk = *state;
	char *command = bh_xasprintf("rm -r %s", desk->folder);

	bh_record_free(desk->record);
	bh_record_free(NULL);
	assert_int_equal(system(command), 0);
	free(command);
	free(desk);
	return 0;
}

static void put(const struct desk *desk, const char *name, const char *text)
{
	char *path = bh_xasprintf("%s/%s", desk->folder, name);
	FILE *out = fopen(path, "ae");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
	free(path);
}

static void follow(struct desk *desk, const char *name, size_t back)
{
	char *path = bh_xasprintf("%s/%s", desk->folder, name);

	bh_record_add(desk->record, path, back);
	free(path);
}

static bool on_line(const char *line, size_t len, void *user)
{
	struct desk *desk = user;

	assert_int_equal(strlen(line), len);
	(void)strcat(strcat(desk->seen, line), ";");
	return desk->stop && strcmp(desk->stop, line) == 0;
}

static void assert_new(struct desk *desk, const char *expected)
{
	desk->seen[0] = '\0';
	bh_record_look(desk->record, on_line, desk);
	assert_string_equal(desk->seen, expected);
}

static void only_new_and_whole_lines_are_given(void **state)
{
	struct desk *desk = *state;

	put(desk, "a", "old\n");
	follow(desk, "a", 0);
	assert_new(desk, "");
	put(desk, "a", "one\ntw");
	assert_new(desk, "one;");
	put(desk, "a", "o");
	assert_new(desk, "");
	put(desk, "a", "\n\nthree\n");
	assert_new(desk, "two;three;");
	assert_new(desk, "");
}

static void known_files_are_left_as_they_are(void **state)
{
	struct desk *desk = *state;

	put(desk, "a", "old\n");
	follow(desk, "a", 0);
	put(desk, "a", "new\n");
	follow(desk, "a", 0);
	follow(desk, "a", 100);
	assert_new(desk, "new;");
}

static void of_a_folder_the_files_written_since_are_followed(void **state)
{
	const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
	struct desk *desk = *state;
	char *old = bh_xasprintf("%s/old.jsonl", desk->folder);
	char *link = bh_xasprintf("%s/link.jsonl", desk->folder);

	put(desk, "old.jsonl", "old\n");
	put(desk, "new.jsonl", "new\n");
	put(desk, "new.json", "another kind\n");
	assert_int_equal(symlink("new.jsonl", link), 0);
	assert_int_equal(utimensat(AT_FDCWD, old, long_ago, 0), 0);
	bh_record_add_folder(desk->record, desk->folder, 2000000, 100);
	assert_new(desk, "new;");
	bh_record_add_folder(desk->record, desk->folder, 2000000, 100);
	bh_record_add_folder(desk->record, "/nonexistent", 0, 100);
	assert_new(desk, "");
	// Written to since: found now, with what was written.
	put(desk, "old.jsonl", "more\n");
	bh_record_add_folder(desk->record, desk->folder, 2000000, 6);
	assert_new(desk, "more;");
	free(old);
	free(link);
}

static void the_folder_of_a_process_is_told(void **state)
{
	char here[256];
	char *told = bh_record_cwd(getpid());

	(void)state;
	assert_non_null(getcwd(here, sizeof here));
	assert_string_equal(told, here);
	free(told);
	assert_null(bh_record_cwd(-1));
}

static void the_past_begins_with_a_whole_line(void **state)
{
	struct desk *desk = *state;

	put(desk, "a", "first\nsecond\nthird\n");
	follow(desk, "a", 9);
	assert_new(desk, "third;");
	bh_record_rewind(desk->record, 1000);
	assert_new(desk, "first;second;third;");
	bh_record_rewind(desk->record, 0);
	assert_new(desk, "");
}

static void a_look_ends_when_told_to(void **state)
{
	struct desk *desk = *state;

	put(desk, "a", "");
	put(desk, "b", "");
	follow(desk, "a", 0);
	follow(desk, "b", 0);
	put(desk, "a", "one\n");
	put(desk, "b", "two\n");
	desk->stop = "one";
	assert_new(desk, "one;");
	assert_new(desk, "two;");
}

static void an_overlong_line_is_passed_over(void **state)
{
	struct desk *desk = *state;
	char *block = bh_xcalloc(BH_RECORD_STEP + 1, 1);

	memset(block, 'x', BH_RECORD_STEP);
	put(desk, "a", "");
	follow(desk, "a", 0);
	for (int i = 0; i < 5; i++) {
		put(desk, "a", block);
		// A step at a time: one look does not read all there is.
		assert_new(desk, "");
	}
	put(desk, "a", "\nshort\n");
	assert_new(desk, "short;");
	free(block);
}

static void one_look_reads_a_bounded_piece(void **state)
{
	struct desk *desk = *state;
	char *block = bh_xcalloc(BH_RECORD_STEP + 1, 1);

	memset(block, '\n', BH_RECORD_STEP);
	put(desk, "a", "");
	follow(desk, "a", 0);
	put(desk, "a", block);
	put(desk, "a", "behind\n");
	assert_new(desk, "");
	assert_new(desk, "behind;");
	free(block);
}

static void links_fifos_and_folders_are_not_followed(void **state)
{
	struct desk *desk = *state;
	char *real = bh_xasprintf("%s/real", desk->folder);
	char *link = bh_xasprintf("%s/link", desk->folder);
	char *fifo = bh_xasprintf("%s/fifo", desk->folder);

	put(desk, "real", "secret\n");
	assert_int_equal(symlink(real, link), 0);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	follow(desk, "link", 100);
	follow(desk, "fifo", 100);
	follow(desk, ".", 100);
	follow(desk, "missing", 100);
	assert_new(desk, "");
	free(real);
	free(link);
	free(fifo);
}

static void the_oldest_file_makes_room(void **state)
{
	struct desk *desk = *state;
	char name[2] = "a";

	for (int i = 0; i <= BH_RECORD_FILES_MAX; i++) {
		name[0] = (char)('a' + i);
		put(desk, name, "");
		follow(desk, name, 0);
	}
	put(desk, "a", "lost\n");
	put(desk, "b", "kept\n");
	put(desk, name, "new\n");
	// The new one took the place of the first.
	assert_new(desk, "new;kept;");
}

static bool pid_is_in(pid_t pid, const pid_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i] == pid) {
			return true;
		}
	}
	return false;
}

static void descendants_are_found(void **state)
{
	pid_t list[BH_RECORD_PROCESSES_MAX];
	pid_t grandchild = 0;
	int ends[2];
	size_t count;
	pid_t child;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	child = fork();
	if (child == 0) {
		grandchild = fork();
		if (grandchild > 0 &&
		    write(ends[1], &grandchild, sizeof grandchild) != sizeof grandchild) {
			_exit(1);
		}
		for (;;) {
			(void)pause();
		}
	}
	assert_int_equal(read(ends[0], &grandchild, sizeof grandchild), sizeof grandchild);
	count = bh_record_processes(getpid(), list, BH_RECORD_PROCESSES_MAX);
	assert_int_equal(list[0], getpid());
	assert_true(pid_is_in(child, list, count));
	assert_true(pid_is_in(grandchild, list, count));
	assert_int_equal(bh_record_processes(getpid(), list, 2), 2);
	assert_int_equal(bh_record_processes(0, list, 2), 0);
	(void)kill(grandchild, SIGKILL);
	(void)kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void on_open_file(const char *path, void *user)
{
	struct desk *desk = user;

	assert_int_equal(path[0], '/');
	if (strncmp(path, desk->folder, strlen(desk->folder)) == 0) {
		(void)strcat(strcat(desk->seen, path + strlen(desk->folder)), ";");
	}
}

static void open_files_are_named(void **state)
{
	struct desk *desk = *state;
	char *path = bh_xasprintf("%s/held", desk->folder);
	int fd;

	put(desk, "held", "");
	put(desk, "other", "");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	bh_record_open_files(getpid(), on_open_file, desk);
	assert_string_equal(desk->seen, "/held;");
	(void)close(fd);
	free(path);
}

#define desk_test(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		desk_test(only_new_and_whole_lines_are_given),
		desk_test(known_files_are_left_as_they_are),
		desk_test(the_past_begins_with_a_whole_line),
		desk_test(of_a_folder_the_files_written_since_are_followed),
		desk_test(a_look_ends_when_told_to),
		desk_test(an_overlong_line_is_passed_over),
		desk_test(one_look_reads_a_bounded_piece),
		desk_test(links_fifos_and_folders_are_not_followed),
		desk_test(the_oldest_file_makes_room),
		cmocka_unit_test(descendants_are_found),
		cmocka_unit_test(the_folder_of_a_process_is_told),
		desk_test(open_files_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
