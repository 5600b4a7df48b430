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
	%D%/notice.c %D%/notice.h \
	%D%/post.c %D%/post.h \
	%D%/receipt.c %D%/receipt.h \
	%D%/registry.c %D%/registry.h \
	%D%/request.c %D%/request.h \
	%D%/store.c %D%/store.h \
	%D%/submit.h \
	%D%/terminal_record.c %D%/terminal_record.h \
	%D%/writer.c %D%/writer.h
MAIL_LIBS = libmail.a $(SQLITE_LIBS) $(BASE_LIBS)

if HAVE_CMOCKA
noinst_LIBRARIES += libmailtest.a
libmailtest_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS) $(SQLITE_CFLAGS)
libmailtest_a_CFLAGS = $(UNIT_CFLAGS)
libmailtest_a_SOURCES = tests/unit/mail-driver.c tests/unit/mail-driver.h
MAIL_TEST_CFLAGS = $(UNIT_CFLAGS) $(UV_CFLAGS) $(SQLITE_CFLAGS)
MAIL_TEST_LIBS = libmailtest.a $(MAIL_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/unit/test-store
tests_unit_test_store_SOURCES = tests/unit/test-store.c
tests_unit_test_store_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_store_LDADD = $(MAIL_TEST_LIBS)
endif
