noinst_LIBRARIES += libmail.a
libmail_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS) $(SQLITE_CFLAGS)
libmail_a_SOURCES = \
	%D%/archive.c %D%/archive.h \
	%D%/bell.c %D%/bell.h \
	%D%/change.c %D%/change.h \
	%D%/claim.c %D%/claim.h \
	%D%/custody.c %D%/custody.h \
	%D%/database.c %D%/database.h \
	%D%/effect.c %D%/effect.h \
	%D%/identity.c %D%/identity.h \
	%D%/ledger.c %D%/ledger.h \
	%D%/mailbox.c %D%/mailbox.h \
	%D%/map.c %D%/map.h \
	%D%/message.c %D%/message.h \
	%D%/mirror.c %D%/mirror.h \
	%D%/notice.h \
	%D%/post.c %D%/post.h \
	%D%/receipt.c %D%/receipt.h \
	%D%/registry.c %D%/registry.h \
	%D%/request.c %D%/request.h \
	%D%/room.h \
	%D%/rooms.c %D%/rooms.h \
	%D%/shield.c %D%/shield.h \
	%D%/store.c %D%/store.h \
	%D%/store_care.h \
	%D%/store_guard.h \
	%D%/store_room.h \
	%D%/submit.h \
	%D%/task.h \
	%D%/tasks.c %D%/tasks.h \
	%D%/threads.c %D%/threads.h \
	%D%/terminal_record.c %D%/terminal_record.h \
	%D%/turn.c %D%/turn.h \
	%D%/writer.c %D%/writer.h
MAIL_LIBS = libmail.a $(SQLITE_LIBS) $(BASE_LIBS)

EXTRA_DIST += tests/unit/mail-1.sql

if HAVE_CMOCKA
noinst_LIBRARIES += libmailtest.a
libmailtest_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS) $(SQLITE_CFLAGS)
libmailtest_a_CFLAGS = $(UNIT_CFLAGS)
libmailtest_a_SOURCES = tests/unit/mail-driver.c tests/unit/mail-driver.h
MAIL_TEST_CFLAGS = $(UNIT_CFLAGS) $(UV_CFLAGS) $(SQLITE_CFLAGS)
MAIL_TEST_LIBS = libmailtest.a $(MAIL_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/unit/test-archive
tests_unit_test_archive_SOURCES = tests/unit/test-archive.c
tests_unit_test_archive_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_archive_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-bell
tests_unit_test_bell_SOURCES = tests/unit/test-bell.c
tests_unit_test_bell_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_bell_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-change
tests_unit_test_change_SOURCES = tests/unit/test-change.c
tests_unit_test_change_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_change_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-claim
tests_unit_test_claim_SOURCES = tests/unit/test-claim.c
tests_unit_test_claim_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_claim_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-custody
tests_unit_test_custody_SOURCES = tests/unit/test-custody.c
tests_unit_test_custody_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_custody_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-database
tests_unit_test_database_SOURCES = tests/unit/test-database.c
tests_unit_test_database_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_database_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-effect
tests_unit_test_effect_SOURCES = tests/unit/test-effect.c
tests_unit_test_effect_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_effect_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-identity
tests_unit_test_identity_SOURCES = tests/unit/test-identity.c
tests_unit_test_identity_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_identity_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-mailbox
tests_unit_test_mailbox_SOURCES = tests/unit/test-mailbox.c
tests_unit_test_mailbox_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_mailbox_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-map
tests_unit_test_map_SOURCES = tests/unit/test-map.c
tests_unit_test_map_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_map_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-message
tests_unit_test_message_SOURCES = tests/unit/test-message.c
tests_unit_test_message_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_message_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-post
tests_unit_test_post_SOURCES = tests/unit/test-post.c
tests_unit_test_post_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_post_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-receipt
tests_unit_test_receipt_SOURCES = tests/unit/test-receipt.c
tests_unit_test_receipt_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_receipt_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-registry
tests_unit_test_registry_SOURCES = tests/unit/test-registry.c
tests_unit_test_registry_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_registry_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-request
tests_unit_test_request_SOURCES = tests/unit/test-request.c
tests_unit_test_request_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_request_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-shield
tests_unit_test_shield_SOURCES = tests/unit/test-shield.c
tests_unit_test_shield_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_shield_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-turn
tests_unit_test_turn_SOURCES = tests/unit/test-turn.c
tests_unit_test_turn_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_turn_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-rooms
tests_unit_test_rooms_SOURCES = tests/unit/test-rooms.c
tests_unit_test_rooms_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_rooms_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-tasks
tests_unit_test_tasks_SOURCES = tests/unit/test-tasks.c
tests_unit_test_tasks_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_tasks_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-threads
tests_unit_test_threads_SOURCES = tests/unit/test-threads.c
tests_unit_test_threads_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_threads_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-store
tests_unit_test_store_SOURCES = tests/unit/test-store.c
tests_unit_test_store_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_store_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-terminal_record
tests_unit_test_terminal_record_SOURCES = tests/unit/test-terminal_record.c
tests_unit_test_terminal_record_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_terminal_record_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-ledger
tests_unit_test_ledger_SOURCES = tests/unit/test-ledger.c
tests_unit_test_ledger_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_ledger_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-mirror
tests_unit_test_mirror_SOURCES = tests/unit/test-mirror.c
tests_unit_test_mirror_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_mirror_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-writer
tests_unit_test_writer_SOURCES = tests/unit/test-writer.c
tests_unit_test_writer_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_writer_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-mail-crash
tests_unit_test_mail_crash_SOURCES = tests/unit/test-mail-crash.c
tests_unit_test_mail_crash_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_mail_crash_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-mail-walk
tests_unit_test_mail_walk_SOURCES = tests/unit/test-mail-walk.c
tests_unit_test_mail_walk_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_mail_walk_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-mail-scale
tests_unit_test_mail_scale_SOURCES = tests/unit/test-mail-scale.c
tests_unit_test_mail_scale_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_mail_scale_LDADD = $(MAIL_TEST_LIBS)

check_PROGRAMS += tests/unit/test-mail-fault
tests_unit_test_mail_fault_SOURCES = tests/unit/test-mail-fault.c \
	tests/faults/disk.c tests/faults/disk.h
tests_unit_test_mail_fault_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_mail_fault_LDADD = $(MAIL_TEST_LIBS)
endif

bench_programs += tests/bench/bench-store
tests_bench_bench_store_SOURCES = tests/bench/bench-store.c
tests_bench_bench_store_CFLAGS = $(AM_CFLAGS) $(UV_CFLAGS)
tests_bench_bench_store_LDADD = $(MAIL_LIBS)
