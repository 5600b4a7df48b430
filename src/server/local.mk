noinst_LIBRARIES += libserver.a
libserver_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libserver_a_SOURCES = \
	%D%/callers.c %D%/callers.h \
	%D%/connection.c %D%/connection.h \
	%D%/foreground.c %D%/foreground.h \
	%D%/pty.c %D%/pty.h \
	%D%/rpc.c %D%/rpc.h %D%/rpc_server.h \
	%D%/server.h \
	%D%/streams.c %D%/streams.h \
	%D%/setup.c %D%/setup.h \
	%D%/terminal.c %D%/terminal.h \
	%D%/terminals.h
SERVER_LIBS = libserver.a $(WAKE_LIBS)
