noinst_LIBRARIES += libui.a
libui_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UTF8PROC_CFLAGS)
libui_a_SOURCES = \
	%D%/attach.c %D%/attach.h \
	%D%/draw.c %D%/draw.h \
	%D%/input.c %D%/input.h \
	%D%/modes.c %D%/modes.h \
	%D%/pane.c %D%/pane.h \
	%D%/tty.c %D%/tty.h
UI_LIBS = libui.a $(CLIENT_LIBS) $(TERM_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-attach tests/unit/test-draw tests/unit/test-input \
	tests/unit/test-modes tests/unit/test-pane tests/unit/test-tty
tests_unit_test_attach_SOURCES = tests/unit/test-attach.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_attach_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_attach_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_draw_SOURCES = tests/unit/test-draw.c
tests_unit_test_draw_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_draw_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_input_SOURCES = tests/unit/test-input.c
tests_unit_test_input_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_input_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_modes_SOURCES = tests/unit/test-modes.c
tests_unit_test_modes_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_modes_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_pane_SOURCES = tests/unit/test-pane.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_pane_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_pane_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_tty_SOURCES = tests/unit/test-tty.c
tests_unit_test_tty_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_tty_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
endif
