noinst_LIBRARIES += libbridge.a
libbridge_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
libbridge_a_SOURCES = \
	%D%/hook.c %D%/hook.h \
	%D%/long_line.c %D%/long_line.h \
	%D%/mcp.c %D%/mcp.h
BRIDGE_LIBS = libbridge.a $(CLIENT_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-hook tests/unit/test-long_line tests/unit/test-mcp
tests_unit_test_hook_SOURCES = tests/unit/test-hook.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_hook_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_hook_LDADD = $(BRIDGE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_long_line_SOURCES = tests/unit/test-long_line.c
tests_unit_test_long_line_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_long_line_LDADD = $(BRIDGE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_mcp_SOURCES = tests/unit/test-mcp.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_mcp_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_mcp_LDADD = $(BRIDGE_LIBS) $(CMOCKA_LIBS)
endif
