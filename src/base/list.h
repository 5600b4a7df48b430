/** @file
 * An intrusive, circular, doubly linked list: embed a struct bh_list in the element, recover the
 * element with bh_container_of().
 *
 *     struct bh_list all;                    // the head, outside every element
 *     bh_list_init(&all);
 *     bh_list_append(&all, &x->link);
 *     bh_list_for (at, next, &all) {         // the current element may be removed in the body
 *             struct x *x = bh_container_of(at, struct x, link);
 *     }
 */
#ifndef BH_BASE_LIST_H
#define BH_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/** The struct of @type that holds @pointer as its member @member. */
#define bh_container_of(pointer, type, member) \
	((type *)(void *)((char *)(pointer)-offsetof(type, member)))

/** A link, and also a head. */
struct bh_list {
	/** The next link; the head itself at the end. */
	struct bh_list *next;
	/** The link before; the head itself at the start. */
	struct bh_list *prev;
};

/** Walk from first to last; @at may be removed (not @next). Declares both as struct bh_list *. */
#define bh_list_for(at, after, head) \
	for (struct bh_list *at = (head)->next, *after = at->next; at != (head); \
	     at = after, after = at->next)

/** Make an empty list, or an element that stands in none. */
static inline void bh_list_init(struct bh_list *list)
{
	list->next = list;
	list->prev = list;
}

/** Whether @head has no element, or an element stands in no list. */
static inline bool bh_list_is_empty(const struct bh_list *head)
{
	return head->next == head;
}

/** Add @link at the end. It must stand in no list. */
static inline void bh_list_append(struct bh_list *head, struct bh_list *link)
{
	link->prev = head->prev;
	link->next = head;
	head->prev->next = link;
	head->prev = link;
}

/** Take @link out; it is initialised again, so a second call is harmless. */
static inline void bh_list_remove(struct bh_list *link)
{
	link->prev->next = link->next;
	link->next->prev = link->prev;
	bh_list_init(link);
}

#endif
