/** @file
 * Many long-lived elements of one size, in blocks of their own. Each on the heap by itself would stand
 * between what every request takes and gives back: the heap is then full of holes far apart, and all
 * that is allocated afterwards is slow, for as long as they live.
 */
#ifndef BH_BASE_POOL_H
#define BH_BASE_POOL_H

#include "src/base/list.h"

#include <stddef.h>

/** Elements of one size. */
struct bh_pool {
	/** Bytes of an element, and how many a block has. */
	size_t size;
	size_t per_block;
	/** Blocks that have room, and those that have none. */
	struct bh_list open;
	struct bh_list full;
};

/** Make an empty pool for elements of @size bytes. */
void bh_pool_init(struct bh_pool *pool, size_t size);

/** A zeroed element, aligned for anything. It goes back with bh_pool_give(). */
void *bh_pool_take(struct bh_pool *pool);

/** Give an element back to the pool that it is of. A block without any is freed. */
void bh_pool_give(void *element);

/** Free all blocks, with what is left in them. Init again before use. */
void bh_pool_clear(struct bh_pool *pool);

#endif
