noinst_LIBRARIES += libwake.a
libwake_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
libwake_a_SOURCES = \
	%D%/budget.c %D%/budget.h \
	%D%/compose.c %D%/compose.h \
	%D%/decide.c %D%/decide.h \
	%D%/outcome.c %D%/outcome.h \
	%D%/tier.c %D%/tier.h \
	%D%/typist.c %D%/typist.h
WAKE_LIBS = libwake.a $(AGENT_LIBS) $(MAIL_LIBS)

EXTRA_DIST += doc/CONTRACT.md tests/unit/decide.table

if HAVE_CMOCKA
check_PROGRAMS += \
	tests/unit/test-budget tests/unit/test-compose tests/unit/test-decide \
	tests/unit/test-outcome tests/unit/test-tier tests/unit/test-typist
tests_unit_test_budget_SOURCES = tests/unit/test-budget.c
tests_unit_test_budget_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_budget_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_decide_SOURCES = tests/unit/test-decide.c
tests_unit_test_decide_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_decide_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_typist_SOURCES = tests/unit/test-typist.c
tests_unit_test_typist_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_typist_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_compose_SOURCES = tests/unit/test-compose.c
tests_unit_test_compose_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_compose_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_outcome_SOURCES = tests/unit/test-outcome.c
tests_unit_test_outcome_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_outcome_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_tier_SOURCES = tests/unit/test-tier.c
tests_unit_test_tier_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_tier_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
endif

# Delivery (src/server/deliver*.c) with a made-up terminal: deliver-world.c stands for the functions
# of src/agent and term.
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-deliver
tests_unit_test_deliver_SOURCES = tests/unit/test-deliver.c \
	tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
endif
