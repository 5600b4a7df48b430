noinst_LIBRARIES += libserver.a
libserver_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libserver_a_SOURCES = \
	%D%/callers.c %D%/callers.h \
	%D%/cast.c %D%/cast.h \
	%D%/chain.c %D%/chain.h \
	%D%/mail_caller.c %D%/mail_caller.h \
	%D%/method_mail.c %D%/method_mail.h \
	%D%/method_mail_identity.c \
	%D%/method_mail_past.c \
	%D%/method_mail_read.c \
	%D%/connection.c %D%/connection.h \
	%D%/deliver.c %D%/deliver.h \
	%D%/deliver_read.c \
	%D%/deliver_send.c \
	%D%/deliver_station.c %D%/deliver_station.h \
	%D%/deliver_type.c \
	%D%/foreground.c %D%/foreground.h \
	%D%/method_hook.c \
	%D%/method_server.c \
	%D%/method_terminal.c \
	%D%/method_terminal_input.c \
	%D%/method_terminal_look.c \
	%D%/methods.c %D%/methods.h \
	%D%/held_keys.c %D%/held_keys.h \
	%D%/pty.c %D%/pty.h \
	%D%/respawn.c %D%/respawn.h \
	%D%/rpc.c %D%/rpc.h %D%/rpc_server.h \
	%D%/screen_view.c %D%/screen_view.h \
	%D%/server.c %D%/server.h \
	%D%/setup.c %D%/setup.h \
	%D%/spooler.c %D%/spooler.h \
	%D%/state_waits.c %D%/state_waits.h \
	%D%/streams.c %D%/streams.h \
	%D%/target.c %D%/target.h \
	%D%/terminal.c %D%/terminal.h \
	%D%/terminal_environ.h \
	%D%/terminal_probe.c %D%/terminal_probe.h \
	%D%/terminal_view.c %D%/terminal_view.h \
	%D%/terminals.h \
	%D%/watchdog.c %D%/watchdog.h \
	%D%/wiring.c %D%/wiring.h
SERVER_LIBS = libserver.a $(WAKE_LIBS)

if HAVE_CMOCKA
SERVER_TESTS = tests/unit/test-callers tests/unit/test-held_keys tests/unit/test-pty tests/unit/test-respawn tests/unit/test-rpc tests/unit/test-setup tests/unit/test-watchdog
check_PROGRAMS += $(SERVER_TESTS)
tests_unit_test_callers_SOURCES = tests/unit/test-callers.c
tests_unit_test_callers_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_callers_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_held_keys_SOURCES = tests/unit/test-held_keys.c
tests_unit_test_held_keys_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_held_keys_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_pty_SOURCES = tests/unit/test-pty.c
tests_unit_test_pty_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_pty_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_respawn_SOURCES = tests/unit/test-respawn.c
tests_unit_test_respawn_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_respawn_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_rpc_SOURCES = tests/unit/test-rpc.c
tests_unit_test_rpc_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_rpc_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_setup_SOURCES = tests/unit/test-setup.c
tests_unit_test_setup_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_setup_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_watchdog_SOURCES = tests/unit/test-watchdog.c
tests_unit_test_watchdog_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_watchdog_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
endif
