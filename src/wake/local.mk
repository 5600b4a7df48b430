noinst_LIBRARIES += libwake.a
libwake_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
libwake_a_SOURCES = \
	%D%/budget.c %D%/budget.h \
	%D%/compose.c %D%/compose.h \
	%D%/decide.c %D%/decide.h \
	%D%/outcome.c %D%/outcome.h \
	%D%/rate.c %D%/rate.h \
	%D%/tier.c %D%/tier.h \
	%D%/typist.c %D%/typist.h
WAKE_LIBS = libwake.a $(AGENT_LIBS) $(MAIL_LIBS)

EXTRA_DIST += doc/CONTRACT.md tests/unit/decide.table tests/unit/decide.rules tests/unit/gate.rules

if HAVE_CMOCKA
check_PROGRAMS += \
	tests/unit/test-budget tests/unit/test-compose tests/unit/test-decide tests/unit/test-decide_all \
	tests/unit/test-outcome tests/unit/test-rate tests/unit/test-tier tests/unit/test-typist
tests_unit_test_budget_SOURCES = tests/unit/test-budget.c
tests_unit_test_budget_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_budget_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_rate_SOURCES = tests/unit/test-rate.c
tests_unit_test_rate_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_rate_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_decide_SOURCES = tests/unit/test-decide.c
tests_unit_test_decide_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_decide_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_decide_all_SOURCES = tests/unit/test-decide_all.c \
	tests/unit/rule-table.c tests/unit/rule-table.h
tests_unit_test_decide_all_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
tests_unit_test_decide_all_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_decide_all_LDADD = $(WAKE_LIBS) $(CMOCKA_LIBS)
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
DELIVER_TESTS = \
	tests/unit/test-deliver tests/unit/test-deliver_channel tests/unit/test-deliver_circle \
	tests/unit/test-deliver_guard tests/unit/test-deliver_past \
	tests/unit/test-deliver_read tests/unit/test-deliver_send \
	tests/unit/test-deliver_fault tests/unit/test-deliver_station tests/unit/test-deliver_type \
	tests/unit/test-method_guard tests/unit/test-method_mail tests/unit/test-method_room tests/unit/test-chain tests/unit/test-deliver_demo \
	tests/unit/test-deliver_walk
check_PROGRAMS += $(DELIVER_TESTS)
tests_unit_test_deliver_SOURCES = tests/unit/test-deliver.c \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_deliver_guard_SOURCES = tests/unit/test-deliver_guard.c \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_guard_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_guard_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_guard_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_deliver_channel_SOURCES = tests/unit/test-deliver_channel.c \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_channel_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_channel_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_channel_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_deliver_past_SOURCES = tests/unit/test-deliver_past.c \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_past_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_past_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_past_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_deliver_circle_SOURCES = tests/unit/test-deliver_circle.c \
	tests/faults/disk.c tests/faults/disk.h \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_circle_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_circle_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_circle_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_deliver_read_SOURCES = tests/unit/test-deliver_read.c \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_read_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_read_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_read_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_deliver_send_SOURCES = tests/unit/test-deliver_send.c \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_send_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_send_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_send_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_deliver_station_SOURCES = tests/unit/test-deliver_station.c \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_station_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_station_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_station_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_deliver_fault_SOURCES = tests/unit/test-deliver_fault.c \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_fault_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_fault_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_fault_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_deliver_type_SOURCES = tests/unit/test-deliver_type.c \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_type_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_type_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_type_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_method_room_SOURCES = tests/unit/test-method_room.c \
	tests/unit/fake-request.c tests/unit/fake-request.h \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_method_room_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_room_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_room_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_method_guard_SOURCES = tests/unit/test-method_guard.c \
	tests/unit/fake-request.c tests/unit/fake-request.h \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_method_guard_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_guard_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_guard_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_method_mail_SOURCES = tests/unit/test-method_mail.c \
	tests/unit/fake-request.c tests/unit/fake-request.h \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_method_mail_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_mail_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_mail_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_deliver_walk_SOURCES = tests/unit/test-deliver_walk.c \
	tests/unit/deliver-walk.c tests/unit/deliver-walk.h \
	tests/unit/deliver-walk-ways.c tests/faults/disk.c tests/faults/disk.h \
	tests/unit/mail-driver.c tests/unit/mail-driver.h \
	tests/unit/deliver-proof.c tests/unit/deliver-world.c tests/unit/deliver-world.h
tests_unit_test_deliver_walk_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_walk_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_walk_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_chain_SOURCES = tests/unit/test-chain.c
tests_unit_test_chain_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_chain_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_chain_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_deliver_demo_SOURCES = tests/unit/test-deliver_demo.c
tests_unit_test_deliver_demo_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_deliver_demo_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_deliver_demo_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
endif
