# bellhop-demo-agent: a small agent-like program for the demo and the tests.
noinst_LIBRARIES += libdemo.a
libdemo_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
libdemo_a_SOURCES = \
	%D%/demo_agent.c %D%/demo_agent.h \
	%D%/demo_keys.c %D%/demo_keys.h \
	%D%/demo_script.c %D%/demo_script.h \
	%D%/demo_status.c %D%/demo_status.h \
	%D%/demo_text.c %D%/demo_text.h \
	%D%/demo_tool.c %D%/demo_tool.h \
	%D%/demo_view.c %D%/demo_view.h
DEMO_LIBS = libdemo.a $(BASE_LIBS)

pkglibexec_PROGRAMS += bellhop-demo-agent
bellhop_demo_agent_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
bellhop_demo_agent_SOURCES = %D%/main.c
bellhop_demo_agent_LDADD = $(DEMO_LIBS)
EXTRA_DIST += %D%/show-demo

if HAVE_CMOCKA
check_PROGRAMS += \
	tests/unit/test-demo_agent \
	tests/unit/test-demo_keys \
	tests/unit/test-demo_script \
	tests/unit/test-demo_status \
	tests/unit/test-demo_text \
	tests/unit/test-demo_tool \
	tests/unit/test-demo_view
tests_unit_test_demo_agent_SOURCES = tests/unit/test-demo_agent.c
tests_unit_test_demo_agent_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_demo_agent_LDADD = $(DEMO_LIBS) $(CMOCKA_LIBS)
tests_unit_test_demo_keys_SOURCES = tests/unit/test-demo_keys.c
tests_unit_test_demo_keys_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_demo_keys_LDADD = $(DEMO_LIBS) $(CMOCKA_LIBS)
tests_unit_test_demo_script_SOURCES = tests/unit/test-demo_script.c
tests_unit_test_demo_script_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_demo_script_LDADD = $(DEMO_LIBS) $(CMOCKA_LIBS)
tests_unit_test_demo_status_SOURCES = tests/unit/test-demo_status.c
tests_unit_test_demo_status_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_demo_status_LDADD = $(DEMO_LIBS) $(CMOCKA_LIBS)
tests_unit_test_demo_text_SOURCES = tests/unit/test-demo_text.c
tests_unit_test_demo_text_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_demo_text_LDADD = $(DEMO_LIBS) $(CMOCKA_LIBS)
tests_unit_test_demo_tool_SOURCES = tests/unit/test-demo_tool.c
tests_unit_test_demo_tool_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_demo_tool_LDADD = $(DEMO_LIBS) $(CMOCKA_LIBS)
tests_unit_test_demo_view_SOURCES = tests/unit/test-demo_view.c
tests_unit_test_demo_view_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_demo_view_LDADD = $(DEMO_LIBS) $(CMOCKA_LIBS)
endif
