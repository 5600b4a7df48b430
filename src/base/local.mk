noinst_LIBRARIES += libbase.a
libbase_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS) \
	-DBH_PKGLIBEXECDIR='"$(pkglibexecdir)"'
libbase_a_SOURCES = \
	%D%/buf.c %D%/buf.h \
	%D%/clock.c %D%/clock.h \
	%D%/config.c %D%/config.h \
	%D%/config_print.c \
	%D%/err.c %D%/err.h \
	%D%/faults.h \
	%D%/fd.c %D%/fd.h \
	%D%/file.c %D%/file.h \
	%D%/frame.c %D%/frame.h \
	%D%/json.c %D%/json.h \
	%D%/json_place.c %D%/json_place.h \
	%D%/json_relaxed.c %D%/json_relaxed.h \
	%D%/limits.h \
	%D%/list.h \
	%D%/log.c %D%/log.h \
	%D%/mem.c %D%/mem.h \
	%D%/nearest.c %D%/nearest.h \
	%D%/paths.c %D%/paths.h \
	%D%/pool.c %D%/pool.h \
	%D%/shell_words.c %D%/shell_words.h \
	%D%/turns.c %D%/turns.h \
	%D%/utf8.c %D%/utf8.h \
	%D%/uuid.c %D%/uuid.h \
	%D%/words.c %D%/words.h
BASE_LIBS = libbase.a $(CJSON_LIBS) $(UV_LIBS) -lm

if HAVE_CMOCKA
check_PROGRAMS += \
	tests/unit/test-buf \
	tests/unit/test-clock \
	tests/unit/test-config \
	tests/unit/test-config_print \
	tests/unit/test-err \
	tests/unit/test-fd \
	tests/unit/test-file \
	tests/unit/test-frame \
	tests/unit/test-json \
	tests/unit/test-json_place \
	tests/unit/test-json_relaxed \
	tests/unit/test-log \
	tests/unit/test-mem \
	tests/unit/test-nearest \
	tests/unit/test-paths \
	tests/unit/test-pool \
	tests/unit/test-shell_words \
	tests/unit/test-turns \
	tests/unit/test-utf8 \
	tests/unit/test-uuid \
	tests/unit/test-words
tests_unit_test_buf_SOURCES = tests/unit/test-buf.c
tests_unit_test_buf_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_buf_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_clock_SOURCES = tests/unit/test-clock.c
tests_unit_test_clock_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_clock_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_config_SOURCES = tests/unit/test-config.c tests/unit/manual.c \
	tests/unit/manual.h
tests_unit_test_config_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_config_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_config_print_SOURCES = tests/unit/test-config_print.c
tests_unit_test_config_print_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_config_print_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
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
tests_unit_test_json_place_SOURCES = tests/unit/test-json_place.c
tests_unit_test_json_place_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_json_place_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_json_relaxed_SOURCES = tests/unit/test-json_relaxed.c
tests_unit_test_json_relaxed_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_json_relaxed_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_log_SOURCES = tests/unit/test-log.c
tests_unit_test_log_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_log_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_mem_SOURCES = tests/unit/test-mem.c
tests_unit_test_mem_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_mem_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_nearest_SOURCES = tests/unit/test-nearest.c
tests_unit_test_nearest_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_nearest_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_paths_SOURCES = tests/unit/test-paths.c
tests_unit_test_paths_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_paths_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_pool_SOURCES = tests/unit/test-pool.c
tests_unit_test_pool_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_pool_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_shell_words_SOURCES = tests/unit/test-shell_words.c
tests_unit_test_shell_words_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_shell_words_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_turns_SOURCES = tests/unit/test-turns.c
tests_unit_test_turns_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_turns_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
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
