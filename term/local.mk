noinst_LIBRARIES += libterm.a
libterm_a_CPPFLAGS = $(AM_CPPFLAGS) $(VTERM_CFLAGS) $(UTF8PROC_CFLAGS)
libterm_a_SOURCES = \
	%D%/aside.c \
	%D%/bytes.c %D%/bytes.h \
	%D%/cell.h \
	%D%/codepoint.c %D%/codepoint.h \
	%D%/equal.c \
	%D%/glyph.c %D%/glyph.h \
	%D%/grid.c %D%/grid.h \
	%D%/guard.c %D%/guard.h \
	%D%/history.c %D%/history.h \
	%D%/keys.c %D%/keys.h \
	%D%/kitty.c %D%/kitty.h \
	%D%/label.c %D%/label.h \
	%D%/mode.c %D%/mode.h \
	%D%/osc.c %D%/osc.h \
	%D%/pen.c %D%/pen.h \
	%D%/print.c %D%/print.h \
	%D%/reflow.c %D%/reflow.h \
	%D%/repaint.c \
	%D%/report.h \
	%D%/reply.c %D%/reply.h \
	%D%/screen.c %D%/screen.h \
	%D%/sequence.c %D%/sequence.h \
	%D%/sieve.c %D%/sieve.h \
	%D%/state.c %D%/state.h \
	%D%/status.c %D%/status.h \
	%D%/strip.c %D%/strip.h \
	%D%/text.c \
	%D%/width.c %D%/width.h
TERM_LIBS = libterm.a $(VTERM_LIBS) $(UTF8PROC_LIBS)

# With --enable-fuzz (clang) a fuzz target is a libFuzzer program; without, it replays its corpus.
EXTRA_DIST += tests/fuzz/corpus-fuzz-term
tests_fuzz_fuzz_term_SOURCES = tests/fuzz/fuzz-term.c
tests_fuzz_fuzz_term_LDADD = $(TERM_LIBS)
if FUZZ
EXTRA_DIST += tests/fuzz/driver.c
EXTRA_PROGRAMS += tests/fuzz/fuzz-term
tests_fuzz_fuzz_term_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
check_PROGRAMS += tests/fuzz/fuzz-term
tests_fuzz_fuzz_term_SOURCES += tests/fuzz/driver.c
endif

# Text scripts: bytes, sizes and time in, looks out.
check_PROGRAMS += tests/screens/run-screens
tests_screens_run_screens_SOURCES = tests/screens/run-screens.c
tests_screens_run_screens_LDADD = $(TERM_LIBS)
EXTRA_DIST += \
	tests/screens/README tests/screens/record-vttest.py \
	tests/screens/agent.test tests/screens/altscreen.test tests/screens/broken.test \
	tests/screens/charset.test tests/screens/cluster.test tests/screens/commands.test \
	tests/screens/cursor.test tests/screens/edit.test tests/screens/erase.test \
	tests/screens/hostile.test tests/screens/input.test tests/screens/keys.test \
	tests/screens/margins.test tests/screens/mode.test tests/screens/osc.test \
	tests/screens/region.test tests/screens/reply.test tests/screens/report.test \
	tests/screens/resize.test tests/screens/scroll.test tests/screens/sgr.test \
	tests/screens/status.test tests/screens/tabs.test tests/screens/unicode.test \
	tests/screens/vttest-cursor.test tests/screens/vttest-screen.test \
	tests/screens/vttest-vt102.test tests/screens/wrap.test

# One test program per module; screen_help holds the words that most of them share.
if HAVE_CMOCKA
check_LIBRARIES = libtest-screen.a
libtest_screen_a_SOURCES = tests/unit/screen_help.c tests/unit/screen_help.h
libtest_screen_a_CFLAGS = $(UNIT_CFLAGS)
TERM_TESTS = \
	tests/unit/test-aside \
	tests/unit/test-bytes \
	tests/unit/test-codepoint \
	tests/unit/test-equal \
	tests/unit/test-glyph \
	tests/unit/test-grid \
	tests/unit/test-guard \
	tests/unit/test-history \
	tests/unit/test-keys \
	tests/unit/test-kitty \
	tests/unit/test-label \
	tests/unit/test-mode \
	tests/unit/test-osc \
	tests/unit/test-pen \
	tests/unit/test-print \
	tests/unit/test-reflow \
	tests/unit/test-repaint \
	tests/unit/test-reply \
	tests/unit/test-screen \
	tests/unit/test-sequence \
	tests/unit/test-sieve \
	tests/unit/test-state \
	tests/unit/test-status \
	tests/unit/test-strip \
	tests/unit/test-text \
	tests/unit/test-width
check_PROGRAMS += $(TERM_TESTS)
tests_unit_test_bytes_SOURCES = tests/unit/test-bytes.c
tests_unit_test_bytes_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_bytes_LDADD = $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_codepoint_SOURCES = tests/unit/test-codepoint.c
tests_unit_test_codepoint_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_codepoint_LDADD = $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_equal_SOURCES = tests/unit/test-equal.c
tests_unit_test_equal_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_equal_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_glyph_SOURCES = tests/unit/test-glyph.c
tests_unit_test_glyph_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_glyph_LDADD = $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_grid_SOURCES = tests/unit/test-grid.c
tests_unit_test_grid_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_grid_LDADD = $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_guard_SOURCES = tests/unit/test-guard.c
tests_unit_test_guard_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_guard_LDADD = $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_history_SOURCES = tests/unit/test-history.c
tests_unit_test_history_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_history_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_keys_SOURCES = tests/unit/test-keys.c
tests_unit_test_keys_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_keys_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_kitty_SOURCES = tests/unit/test-kitty.c
tests_unit_test_kitty_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_kitty_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_label_SOURCES = tests/unit/test-label.c
tests_unit_test_label_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_label_LDADD = $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_mode_SOURCES = tests/unit/test-mode.c
tests_unit_test_mode_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_mode_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_osc_SOURCES = tests/unit/test-osc.c
tests_unit_test_osc_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_osc_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_pen_SOURCES = tests/unit/test-pen.c
tests_unit_test_pen_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_pen_LDADD = $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_print_SOURCES = tests/unit/test-print.c
tests_unit_test_print_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_print_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_reflow_SOURCES = tests/unit/test-reflow.c
tests_unit_test_reflow_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_reflow_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_repaint_SOURCES = tests/unit/test-repaint.c
tests_unit_test_repaint_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_repaint_LDADD = libtest-screen.a $(AGENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_reply_SOURCES = tests/unit/test-reply.c
tests_unit_test_reply_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_reply_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_screen_SOURCES = tests/unit/test-screen.c
tests_unit_test_screen_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_screen_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_sequence_SOURCES = tests/unit/test-sequence.c
tests_unit_test_sequence_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_sequence_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_aside_SOURCES = tests/unit/test-aside.c
tests_unit_test_aside_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_aside_LDADD = $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_sieve_SOURCES = tests/unit/test-sieve.c
tests_unit_test_sieve_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_sieve_LDADD = $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_state_SOURCES = tests/unit/test-state.c
tests_unit_test_state_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_state_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_status_SOURCES = tests/unit/test-status.c
tests_unit_test_status_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_status_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_strip_SOURCES = tests/unit/test-strip.c
tests_unit_test_strip_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_strip_LDADD = $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_text_SOURCES = tests/unit/test-text.c
tests_unit_test_text_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_text_LDADD = libtest-screen.a $(TERM_LIBS) $(CMOCKA_LIBS)
tests_unit_test_width_SOURCES = tests/unit/test-width.c
tests_unit_test_width_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_width_LDADD = $(TERM_LIBS) $(CMOCKA_LIBS)
endif

bench_programs += tests/bench/bench-term
tests_bench_bench_term_SOURCES = tests/bench/bench-term.c
tests_bench_bench_term_LDADD = $(AGENT_LIBS)
