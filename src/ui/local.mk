noinst_LIBRARIES += libui.a
libui_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UTF8PROC_CFLAGS)
libui_a_SOURCES = \
	%D%/action.c %D%/action.h \
	%D%/app.c %D%/app.h %D%/app_keys.c %D%/app_state.h \
	%D%/attach.c %D%/attach.h \
	%D%/draw.c %D%/draw.h \
	%D%/feed.c %D%/feed.h \
	%D%/input.c %D%/input.h \
	%D%/keytable.c %D%/keytable.h \
	%D%/link.c %D%/link.h \
	%D%/model.c %D%/model.h \
	%D%/modes.c %D%/modes.h \
	%D%/pane.c %D%/pane.h \
	%D%/pass.c %D%/pass.h \
	%D%/question.c %D%/question.h \
	%D%/scene.c %D%/scene.h \
	%D%/sidebar.c %D%/sidebar.h \
	%D%/tty.c %D%/tty.h \
	%D%/viewer.c %D%/viewer.h
UI_LIBS = libui.a $(CLIENT_LIBS) $(TERM_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-action tests/unit/test-app tests/unit/test-attach \
	tests/unit/test-draw tests/unit/test-feed tests/unit/test-input \
	tests/unit/test-keytable tests/unit/test-link tests/unit/test-model \
	tests/unit/test-modes tests/unit/test-pane tests/unit/test-pass \
	tests/unit/test-question tests/unit/test-scene tests/unit/test-sidebar \
	tests/unit/test-tty tests/unit/test-viewer
tests_unit_test_action_SOURCES = tests/unit/test-action.c
tests_unit_test_action_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_action_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_app_SOURCES = tests/unit/test-app.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_app_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_attach_SOURCES = tests/unit/test-attach.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_attach_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_attach_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_draw_SOURCES = tests/unit/test-draw.c
tests_unit_test_draw_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_draw_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_feed_SOURCES = tests/unit/test-feed.c
tests_unit_test_feed_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_feed_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_input_SOURCES = tests/unit/test-input.c
tests_unit_test_input_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_input_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_keytable_SOURCES = tests/unit/test-keytable.c
tests_unit_test_keytable_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_keytable_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_link_SOURCES = tests/unit/test-link.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_link_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_link_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_model_SOURCES = tests/unit/test-model.c
tests_unit_test_model_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_model_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_modes_SOURCES = tests/unit/test-modes.c
tests_unit_test_modes_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_modes_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_pane_SOURCES = tests/unit/test-pane.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_pane_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_pane_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_pass_SOURCES = tests/unit/test-pass.c
tests_unit_test_pass_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_pass_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_question_SOURCES = tests/unit/test-question.c
tests_unit_test_question_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_question_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_scene_SOURCES = tests/unit/test-scene.c
tests_unit_test_scene_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_scene_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_sidebar_SOURCES = tests/unit/test-sidebar.c
tests_unit_test_sidebar_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_sidebar_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_tty_SOURCES = tests/unit/test-tty.c
tests_unit_test_tty_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_tty_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_viewer_SOURCES = tests/unit/test-viewer.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_viewer_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_viewer_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
endif

# The screen of a client against that of the server; see term/local.mk for how fuzz targets are built.
EXTRA_DIST += tests/fuzz/corpus-fuzz-feed
tests_fuzz_fuzz_feed_SOURCES = tests/fuzz/fuzz-feed.c
tests_fuzz_fuzz_feed_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
tests_fuzz_fuzz_feed_LDADD = $(UI_LIBS)
if FUZZ
EXTRA_PROGRAMS += tests/fuzz/fuzz-feed
tests_fuzz_fuzz_feed_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
check_PROGRAMS += tests/fuzz/fuzz-feed
tests_fuzz_fuzz_feed_SOURCES += tests/fuzz/driver.c
endif
