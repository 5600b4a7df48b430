#include "src/keeper/table.h"

#include "src/base/fd.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TABLE_MAGIC 0x656c6274U
#define TABLE_START 4096
#define TABLE_SIZE (TABLE_START + BH_WIRE_ENTRIES * sizeof(struct bh_entry))

_Static_assert(sizeof(struct bh_table) <= TABLE_START, "the table's head has one page");

struct bh_table *bh_table_new(int *fd_out)
{
	int fd = memfd_create("bellhop-keeper", MFD_CLOEXEC);
	struct bh_table *table;

	if (fd < 0 || ftruncate(fd, TABLE_SIZE) != 0) {
		return NULL;
	}
	table = mmap(NULL, TABLE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (table == MAP_FAILED) {
		return NULL;
	}
	table->magic = TABLE_MAGIC;
	table->entry_size = sizeof(struct bh_entry);
	table->entries = BH_WIRE_ENTRIES;
	table->start = TABLE_START;
	table->server.fd = -1;
	*fd_out = fd;
	return table;
}

struct bh_table *bh_table_adopt(int fd)
{
	struct bh_table *table;
	struct stat st;

	if (fstat(fd, &st) != 0) {
		return NULL;
	}
	if (st.st_size < TABLE_START) {
		errno = EPROTO;
		return NULL;
	}
	table = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (table == MAP_FAILED) {
		return NULL;
	}
	if (table->magic != TABLE_MAGIC || table->entry_size < sizeof(struct bh_entry) ||
	    table->start < sizeof(*table) ||
	    table->start + (uint64_t)table->entries * table->entry_size > (uint64_t)st.st_size) {
		(void)munmap(table, (size_t)st.st_size); // mapped above
		errno = EPROTO;
		return NULL;
	}
	table->used = table->entries;
	while (table->used > 0 && bh_table_at(table, table->used - 1)->state == BH_ENTRY_FREE) {
		table->used--;
	}
	return table;
}

struct bh_entry *bh_table_at(struct bh_table *table, uint32_t index)
{
	uint8_t *first = (uint8_t *)table + table->start;

	return (struct bh_entry *)(void *)(first + (size_t)index * table->entry_size);
}

static void fd_mark(int fd, bool is_on)
{
	if (fd >= 0) {
		(void)bh_fd_set_cloexec(fd, is_on); // cannot fail on an open descriptor
	}
}

void bh_table_set_cloexec(struct bh_table *table, int fd, bool is_on)
{
	fd_mark(fd, is_on);
	fd_mark(table->lock_fd, is_on);
	fd_mark(table->server.fd, is_on);
	for (uint32_t i = 0; i < table->used; i++) {
		struct bh_entry *entry = bh_table_at(table, i);

		if (entry->state != BH_ENTRY_FREE) {
			fd_mark(entry->master_fd, is_on);
			fd_mark(entry->tape_fd, is_on);
			fd_mark(entry->exec_fd, is_on);
		}
	}
}

struct bh_entry *bh_table_find(struct bh_table *table, const uint8_t id[16])
{
	for (uint32_t i = 0; i < table->used; i++) {
		struct bh_entry *entry = bh_table_at(table, i);

		if (entry->state != BH_ENTRY_FREE && memcmp(entry->id, id, 16) == 0) {
			return entry;
		}
	}
	return NULL;
}

static bool is_alive(const struct bh_entry *entry)
{
	return entry->state == BH_ENTRY_STARTING || entry->state == BH_ENTRY_RUNNING;
}

struct bh_entry *bh_table_find_pid(struct bh_table *table, int32_t pid)
{
	for (uint32_t i = 0; i < table->used; i++) {
		struct bh_entry *entry = bh_table_at(table, i);

		if (is_alive(entry) && entry->pid == pid) {
			return entry;
		}
	}
	return NULL;
}

struct bh_entry *bh_table_find_free(struct bh_table *table)
{
	for (uint32_t i = 0; i < table->used; i++) {
		if (bh_table_at(table, i)->state == BH_ENTRY_FREE) {
			return bh_table_at(table, i);
		}
	}
	return table->used < table->entries ? bh_table_at(table, table->used++) : NULL;
}

void bh_table_release(struct bh_entry *entry)
{
	bh_fd_close(&entry->master_fd);
	bh_fd_close(&entry->tape_fd);
	bh_fd_close(&entry->exec_fd);
	memset(entry, 0, sizeof(*entry));
}

uint32_t bh_table_count(struct bh_table *table, bool only_alive)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < table->used; i++) {
		const struct bh_entry *entry = bh_table_at(table, i);

		count += entry->state != BH_ENTRY_FREE && (!only_alive || is_alive(entry));
	}
	return count;
}
