/** @file
 * How the kernel shares processors between this process and others.
 */
#ifndef BH_BASE_TURNS_H
#define BH_BASE_TURNS_H

/** A turn that bh_turns_be_brief() asks for (ns); the kernel's own are some ms. */
#define BH_TURNS_BRIEF_NS (300 * 1000)

/**
 * Ask the kernel for short turns of the calling thread: the same share of a busy processor in more and
 * shorter pieces, so that it waits less before each. For those through whom a key passes. What the process
 * starts, threads and programs, has turns as before. Needs no privilege; a kernel before Linux 6.12 does
 * nothing.
 */
void bh_turns_be_brief(void);

#endif
