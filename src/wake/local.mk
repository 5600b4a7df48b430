noinst_LIBRARIES += libwake.a
libwake_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
libwake_a_SOURCES = \
	%D%/budget.c %D%/budget.h \
	%D%/decide.c %D%/decide.h \
	%D%/typist.c %D%/typist.h
WAKE_LIBS = libwake.a $(AGENT_LIBS) $(MAIL_LIBS)

EXTRA_DIST += tests/unit/decide.table

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-budget tests/unit/test-decide tests/unit/test-typist
tests_unit_test_budget_SOURCES = tests/unit/test-budget.c
tests_unit_test_budget_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_budget_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_decide_SOURCES = tests/unit/test-decide.c
tests_unit_test_decide_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_decide_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_typist_SOURCES = tests/unit/test-typist.c
tests_unit_test_typist_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_typist_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
endif
