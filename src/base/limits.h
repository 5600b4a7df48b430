/** @file
 * The limits of the program, each with its unit. A size that comes from outside is checked against
 * one of these before anything is allocated; the error names the limit.
 */
#ifndef BH_BASE_LIMITS_H
#define BH_BASE_LIMITS_H

/** Longest session name and identity, in characters (without the NUL). */
#define BH_LIMIT_NAME 64
/** Longest JSON line on a socket or in a spool file, its newline included (bytes). */
#define BH_LIMIT_LINE (1024 * 1024)
/** Longest payload of one binary frame (bytes). A snapshot of a big screen must fit. */
#define BH_LIMIT_FRAME (8 * 1024 * 1024)
/** Longest message body (bytes). */
#define BH_LIMIT_BODY (256 * 1024)
/** How long a wait for mail takes when nobody says (ms): the tools of agents have limits of their own. */
#define BH_LIMIT_WAIT_MS 100000
/** Deepest nesting of a JSON text. */
#define BH_LIMIT_JSON_DEPTH 64
/** Smallest screen, in columns and in rows. */
#define BH_LIMIT_SCREEN_MIN 2
/** Largest screen, in columns and in rows. */
#define BH_LIMIT_SCREEN_MAX 1000
/** Most arguments, and most environment variables, of a child. */
#define BH_LIMIT_STRINGS 4096
/** Longest argument list or environment of a child, all strings together (bytes). */
#define BH_LIMIT_STRINGS_BYTES (1024 * 1024)
/** Longest path that we take from outside (bytes). */
#define BH_LIMIT_PATH 4096
/** A log file is renamed to "<name>.1" when it grows beyond this (bytes). */
#define BH_LIMIT_LOG (8 * 1024 * 1024)
/** Longest line of a log (bytes); the rest is cut. */
#define BH_LIMIT_LOG_LINE 2048

/** Version of the protocol (doc/PROTOCOL.md). It grows when something that was there changes; a
 * program and a server of different versions do not work together. */
#define BH_PROTOCOL_VERSION 1

#endif
