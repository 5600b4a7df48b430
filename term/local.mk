noinst_LIBRARIES += libterm.a
libterm_a_CPPFLAGS = $(AM_CPPFLAGS) $(VTERM_CFLAGS) $(UTF8PROC_CFLAGS)
libterm_a_SOURCES = \
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
	tests/screens/README \
	tests/screens/cursor.test tests/screens/erase.test tests/screens/hostile.test \
	tests/screens/keys.test tests/screens/mode.test tests/screens/osc.test \
	tests/screens/reply.test tests/screens/resize.test tests/screens/scroll.test \
	tests/screens/sgr.test tests/screens/status.test tests/screens/unicode.test \
	tests/screens/wrap.test
