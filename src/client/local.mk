noinst_LIBRARIES += libclient.a
libclient_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
libclient_a_SOURCES = \
	%D%/client.c %D%/client.h \
	%D%/conn.c %D%/conn.h \
	%D%/mail_text.c %D%/mail_text.h \
	%D%/patience.c %D%/patience.h \
	%D%/sessions.c %D%/sessions.h \
	%D%/spool.c %D%/spool.h \
	%D%/start.c %D%/start.h
CLIENT_LIBS = libclient.a $(BASE_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-client tests/unit/test-conn tests/unit/test-mail_text \
	tests/unit/test-patience tests/unit/test-sessions tests/unit/test-spool tests/unit/test-start
tests_unit_test_client_SOURCES = tests/unit/test-client.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_client_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_client_LDADD = $(CLIENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_conn_SOURCES = tests/unit/test-conn.c
tests_unit_test_conn_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_conn_LDADD = $(CLIENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_mail_text_SOURCES = tests/unit/test-mail_text.c
tests_unit_test_mail_text_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_mail_text_LDADD = $(CLIENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_patience_SOURCES = tests/unit/test-patience.c
tests_unit_test_patience_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_patience_LDADD = $(CLIENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_sessions_SOURCES = tests/unit/test-sessions.c
tests_unit_test_sessions_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_sessions_LDADD = $(CLIENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_spool_SOURCES = tests/unit/test-spool.c
tests_unit_test_spool_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_spool_LDADD = $(CLIENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_start_SOURCES = tests/unit/test-start.c
tests_unit_test_start_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_start_LDADD = $(CLIENT_LIBS) $(CMOCKA_LIBS)
endif
