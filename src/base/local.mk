noinst_LIBRARIES += libbase.a
libbase_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libbase_a_SOURCES = \
	%D%/buf.c %D%/buf.h \
	%D%/err.c %D%/err.h \
	%D%/list.h \
	%D%/mem.c %D%/mem.h \
	%D%/words.c %D%/words.h
BASE_LIBS = libbase.a $(CJSON_LIBS) $(UV_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-buf tests/unit/test-words
tests_unit_test_buf_SOURCES = tests/unit/test-buf.c
tests_unit_test_buf_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_buf_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_words_SOURCES = tests/unit/test-words.c
tests_unit_test_words_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_words_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
endif
