noinst_LIBRARIES += libbase.a
libbase_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS) \
	-DBH_PKGLIBEXECDIR='"$(pkglibexecdir)"'
libbase_a_SOURCES = \
	%D%/buf.c %D%/buf.h \
	%D%/clock.c %D%/clock.h \
	%D%/err.c %D%/err.h \
	%D%/fd.c %D%/fd.h \
	%D%/file.c %D%/file.h \
	%D%/frame.c %D%/frame.h \
	%D%/json.c %D%/json.h \
	%D%/limits.h \
	%D%/list.h \
	%D%/log.c %D%/log.h \
	%D%/mem.c %D%/mem.h \
	%D%/paths.c %D%/paths.h \
	%D%/utf8.c %D%/utf8.h \
	%D%/uuid.c %D%/uuid.h \
	%D%/words.c %D%/words.h
BASE_LIBS = libbase.a $(CJSON_LIBS) $(UV_LIBS) -lm

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-buf tests/unit/test-words
tests_unit_test_buf_SOURCES = tests/unit/test-buf.c
tests_unit_test_buf_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_buf_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_words_SOURCES = tests/unit/test-words.c
tests_unit_test_words_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_words_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
endif
