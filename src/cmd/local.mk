noinst_LIBRARIES += libcmd.a
libcmd_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libcmd_a_SOURCES = \
	%D%/args.c %D%/args.h \
	%D%/cmd_help.c \
	%D%/cmd_version.c \
	%D%/command.h %D%/commands.h %D%/dispatch.c \
	%D%/help.c %D%/help.h \
	%D%/table.c %D%/table.h
CMD_LIBS = libcmd.a $(UI_LIBS) $(BRIDGE_LIBS) $(SERVER_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-args
tests_unit_test_args_SOURCES = tests/unit/test-args.c
tests_unit_test_args_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_args_LDADD = libcmd.a $(BASE_LIBS) $(CMOCKA_LIBS)
endif
