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
check_PROGRAMS += \
	tests/unit/test-buf \
	tests/unit/test-clock \
	tests/unit/test-err \
	tests/unit/test-fd \
	tests/unit/test-file \
	tests/unit/test-frame \
	tests/unit/test-json \
	tests/unit/test-log \
	tests/unit/test-mem \
	tests/unit/test-paths \
	tests/unit/test-utf8 \
	tests/unit/test-uuid \
	tests/unit/test-words
tests_unit_test_buf_SOURCES = tests/unit/test-buf.c
tests_unit_test_buf_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_buf_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_clock_SOURCES = tests/unit/test-clock.c
tests_unit_test_clock_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_clock_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_err_SOURCES = tests/unit/test-err.c
tests_unit_test_err_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_err_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_fd_SOURCES = tests/unit/test-fd.c
tests_unit_test_fd_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_fd_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_file_SOURCES = tests/unit/test-file.c
tests_unit_test_file_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_file_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_frame_SOURCES = tests/unit/test-frame.c
tests_unit_test_frame_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_frame_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_json_SOURCES = tests/unit/test-json.c
tests_unit_test_json_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_json_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_log_SOURCES = tests/unit/test-log.c
tests_unit_test_log_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_log_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_mem_SOURCES = tests/unit/test-mem.c
tests_unit_test_mem_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_mem_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_paths_SOURCES = tests/unit/test-paths.c
tests_unit_test_paths_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_paths_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_utf8_SOURCES = tests/unit/test-utf8.c
tests_unit_test_utf8_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_utf8_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_uuid_SOURCES = tests/unit/test-uuid.c
tests_unit_test_uuid_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_uuid_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_words_SOURCES = tests/unit/test-words.c
tests_unit_test_words_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_words_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
endif
