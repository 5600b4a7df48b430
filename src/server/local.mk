noinst_LIBRARIES += libserver.a
libserver_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libserver_a_SOURCES = \
	%D%/callers.c %D%/callers.h \
	%D%/connection.c %D%/connection.h \
	%D%/deliver.c %D%/deliver.h \
	%D%/deliver_read.c \
	%D%/deliver_send.c \
	%D%/deliver_station.c %D%/deliver_station.h \
	%D%/deliver_type.c \
	%D%/foreground.c %D%/foreground.h \
	%D%/pty.c %D%/pty.h \
	%D%/rpc.c %D%/rpc.h %D%/rpc_server.h \
	%D%/server.h \
	%D%/streams.c %D%/streams.h \
	%D%/setup.c %D%/setup.h \
	%D%/terminal.c %D%/terminal.h \
	%D%/terminals.h
SERVER_LIBS = libserver.a $(WAKE_LIBS)

# Delivery with a made-up terminal: deliver-world.c stands for the functions of src/agent and term.
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-deliver
tests_unit_test_deliver_SOURCES = tests/unit/test-deliver.c \
	tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
endif
