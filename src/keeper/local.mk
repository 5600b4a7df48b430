# The keeper program: libc only. Of libbase it compiles two files that need nothing else.
pkglibexec_PROGRAMS += bellhop-keeper
bellhop_keeper_CPPFLAGS = $(AM_CPPFLAGS)
bellhop_keeper_SOURCES = \
	%D%/child.c %D%/child.h \
	%D%/dialog.c \
	%D%/keeper.c %D%/keeper.h \
	%D%/table.c %D%/table.h \
	%D%/wire.c %D%/wire.h \
	src/base/clock.c src/base/clock.h \
	src/base/fd.c src/base/fd.h

# What the server needs of the keeper, and the server's end of it: a library of its own, so that its
# tests do not link the whole server.
noinst_LIBRARIES += libhold.a
libhold_a_CPPFLAGS = $(AM_CPPFLAGS) $(UV_CFLAGS)
libhold_a_SOURCES = \
	%D%/wire.c %D%/wire.h \
	src/server/keeper_link.c src/server/keeper_link.h \
	src/server/sweep.c src/server/sweep.h \
	src/server/tape.c src/server/tape.h
HOLD_LIBS = libhold.a $(BASE_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-child tests/unit/test-dialog \
	tests/unit/test-keeper tests/unit/test-keeper_link tests/unit/test-sweep \
	tests/unit/test-tape tests/unit/test-wire
keeper_world = tests/unit/keeper-world.c tests/unit/keeper-world.h
tests_unit_test_child_SOURCES = tests/unit/test-child.c $(keeper_world)
tests_unit_test_child_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_child_LDADD = $(HOLD_LIBS) $(CMOCKA_LIBS)
tests_unit_test_dialog_SOURCES = tests/unit/test-dialog.c $(keeper_world)
tests_unit_test_dialog_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_dialog_LDADD = $(HOLD_LIBS) $(CMOCKA_LIBS)
tests_unit_test_keeper_SOURCES = tests/unit/test-keeper.c $(keeper_world)
tests_unit_test_keeper_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_keeper_LDADD = $(HOLD_LIBS) $(CMOCKA_LIBS)
tests_unit_test_keeper_link_SOURCES = tests/unit/test-keeper_link.c $(keeper_world)
tests_unit_test_keeper_link_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_keeper_link_LDADD = $(HOLD_LIBS) $(CMOCKA_LIBS)
tests_unit_test_sweep_SOURCES = tests/unit/test-sweep.c
tests_unit_test_sweep_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_sweep_LDADD = $(HOLD_LIBS) $(CMOCKA_LIBS)
tests_unit_test_tape_SOURCES = tests/unit/test-tape.c
tests_unit_test_tape_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_tape_LDADD = $(HOLD_LIBS) $(CMOCKA_LIBS) -lutil
tests_unit_test_wire_SOURCES = tests/unit/test-wire.c
tests_unit_test_wire_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_wire_LDADD = $(HOLD_LIBS) $(CMOCKA_LIBS)
endif

# Readers of outside bytes of base, keeper and tape; see term/local.mk for how fuzz targets are built.
EXTRA_DIST += tests/fuzz/corpus-fuzz-hold
tests_fuzz_fuzz_hold_SOURCES = tests/fuzz/fuzz-hold.c
tests_fuzz_fuzz_hold_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
tests_fuzz_fuzz_hold_LDADD = $(HOLD_LIBS)
if FUZZ
EXTRA_PROGRAMS += tests/fuzz/fuzz-hold
tests_fuzz_fuzz_hold_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
check_PROGRAMS += tests/fuzz/fuzz-hold
tests_fuzz_fuzz_hold_SOURCES += tests/fuzz/driver.c
endif
