#include "src/base/pool.h"

#include "src/base/mem.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef __has_feature // clang's; gcc has a macro for each
#define __has_feature(feature) 0
#endif

/** Bytes of a block, about: few pages for a small session, few blocks for a large one. */
#define BLOCK_SIZE 16384

struct block;

/** What stands before each element. */
struct slot {
	struct block *block;
	/** The next one that is free; of an element that is taken: nothing. */
	struct slot *next_free;
};

struct block {
	struct bh_pool *pool;
	/** Place among the pool's open or full blocks. */
	struct bh_list link;
	struct slot *free;
	/** Elements that are taken; and that ever were: what is behind them was not touched yet. */
	size_t taken;
	size_t used;
	_Alignas(max_align_t) unsigned char slots[];
};

static_assert(sizeof(struct slot) % _Alignof(max_align_t) == 0, "an element is aligned");

static size_t slot_size(const struct bh_pool *pool)
{
	return sizeof(struct slot) + pool->size;
}

/** Whether it is the last open block: taking one and giving it back, over and over, stays cheap. */
static bool block_is_last(const struct block *block)
{
	return block->pool->per_block > 1 && block->pool->open.next == &block->link &&
	       block->pool->open.prev == &block->link;
}

void bh_pool_init(struct bh_pool *pool, size_t size)
{
	const size_t align = _Alignof(max_align_t);

	*pool = (struct bh_pool){.size = (size + align - 1) / align * align};
	pool->per_block = (BLOCK_SIZE - sizeof(struct block)) / slot_size(pool);
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
	pool->per_block = 1; // so that the use of one that was given back is found
#endif
	bh_list_init(&pool->open);
	bh_list_init(&pool->full);
}

static struct block *block_new(struct bh_pool *pool)
{
	struct block *block = bh_xmalloc(sizeof(*block) + pool->per_block * slot_size(pool));

	block->pool = pool;
	bh_list_append(&pool->open, &block->link);
	return block;
}

void *bh_pool_take(struct bh_pool *pool)
{
	struct block *block = bh_list_is_empty(&pool->open)
	                              ? block_new(pool)
	                              : bh_container_of(pool->open.next, struct block, link);
	struct slot *slot = block->free;

	if (slot != NULL) {
		block->free = slot->next_free;
		memset(slot + 1, 0, pool->size);
	} else {
		slot = (void *)&block->slots[block->used++ * slot_size(pool)];
		slot->block = block;
	}
	slot->next_free = NULL;
	if (++block->taken == pool->per_block) {
		bh_list_remove(&block->link);
		bh_list_append(&pool->full, &block->link);
	}
	return slot + 1;
}

void bh_pool_give(void *element)
{
	struct slot *slot = (struct slot *)element - 1;
	struct block *block = slot->block;

	if (block->taken-- == block->pool->per_block) {
		bh_list_remove(&block->link);
		bh_list_append(&block->pool->open, &block->link);
	}
	slot->next_free = block->free;
	block->free = slot;
	if (block->taken == 0 && !block_is_last(block)) {
		bh_list_remove(&block->link);
		free(block);
	}
}

static void blocks_free(struct bh_list *blocks)
{
	bh_list_for (at, after, blocks) {
		free(bh_container_of(at, struct block, link));
	}
}

void bh_pool_clear(struct bh_pool *pool)
{
	blocks_free(&pool->open);
	blocks_free(&pool->full);
}
