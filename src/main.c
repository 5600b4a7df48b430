/**
 * bellhop: a terminal multiplexer for coding agents that also carries their mail.
 *
 * The way in, in call order: src/cmd/dispatch.c finds the command in the table of src/cmd/table.c
 * and parses its arguments; most commands make one request through src/client (which starts the
 * keeper, src/keeper, which starts the server, src/server) and print the answer; `attach` draws a
 * terminal (src/ui) from our own screen (term/). doc/ARCHITECTURE.md has the map of the rooms.
 */
#include "src/base/mem.h"
#include "src/cmd/command.h"

int main(int argc, char **argv)
{
	bh_mem_begin();
	return bh_cmd_main(argc, argv);
}
