noinst_LIBRARIES += libui.a
libui_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(PCRE2_CFLAGS) $(TINFO_CFLAGS) $(UTF8PROC_CFLAGS)
libui_a_SOURCES = \
	%D%/action.c %D%/action.h \
	%D%/agentpicker.c %D%/agentpicker.h \
	%D%/app.c %D%/app.h %D%/app_config.c %D%/app_copy.c %D%/app_copy.h %D%/app_draw.c %D%/app_frame.c \
	%D%/app_keys.c %D%/app_layer.c %D%/app_layer.h \
	%D%/app_mouse.c %D%/app_notify.c %D%/app_sessions.c %D%/app_state.h %D%/app_views.c \
	%D%/attach.c %D%/attach.h \
	%D%/border.c %D%/border.h \
	%D%/attention.c %D%/attention.h \
	%D%/bindings.c %D%/bindings.h \
	%D%/chooser.c %D%/chooser.h \
	%D%/command.c %D%/command.h \
	%D%/copydraw.c %D%/copydraw.h \
	%D%/copyfind.c %D%/copyfind.h \
	%D%/copykeys.c %D%/copykeys.h \
	%D%/copymode.c %D%/copymode.h \
	%D%/copymotion.c %D%/copymotion.h \
	%D%/copypattern.c %D%/copypattern.h \
	%D%/copyprompt.c %D%/copyprompt.h \
	%D%/copyreader.c %D%/copyreader.h \
	%D%/copysearch.c %D%/copysearch.h \
	%D%/draw.c %D%/draw.h \
	%D%/errand.c %D%/errand.h \
	%D%/explainview.c %D%/explainview.h \
	%D%/feed.c %D%/feed.h \
	%D%/gate.c %D%/gate.h \
	%D%/helpview.c %D%/helpview.h \
	%D%/input.c %D%/input.h \
	%D%/keytable.c %D%/keytable.h \
	%D%/layer.h \
	%D%/linecache.c %D%/linecache.h \
	%D%/link.c %D%/link.h \
	%D%/mailview.c %D%/mailview.h \
	%D%/look.c %D%/look.h \
	%D%/model.c %D%/model.h \
	%D%/modes.c %D%/modes.h \
	%D%/mouse.c %D%/mouse.h \
	%D%/outer.c %D%/outer.h \
	%D%/pane.c %D%/pane.h \
	%D%/panel.c %D%/panel.h \
	%D%/pass.c %D%/pass.h \
	%D%/question.c %D%/question.h \
	%D%/remembered.c %D%/remembered.h \
	%D%/scene.c %D%/scene.h \
	%D%/selection.c %D%/selection.h \
	%D%/sessionpicker.c %D%/sessionpicker.h \
	%D%/sidebar.c %D%/sidebar.h \
	%D%/strings.c %D%/strings.h \
	%D%/textview.c %D%/textview.h \
	%D%/tabbar.c %D%/tabbar.h \
	%D%/token.c %D%/token.h \
	%D%/terminfo.c %D%/terminfo.h \
	%D%/tty.c %D%/tty.h \
	%D%/typed.c %D%/typed.h \
	%D%/url.c %D%/url.h \
	%D%/viewer.c %D%/viewer.h
UI_LIBS = libui.a $(CLIENT_LIBS) $(TERM_LIBS) $(PCRE2_LIBS) $(TINFO_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-app_copy tests/unit/test-copydraw tests/unit/test-copyfind tests/unit/test-copykeys \
	tests/unit/test-copypattern tests/unit/test-copymode \
	tests/unit/test-copymotion tests/unit/test-copyprompt tests/unit/test-copyreader \
	tests/unit/test-copysearch tests/unit/test-linecache tests/unit/test-selection
check_PROGRAMS += tests/unit/test-action tests/unit/test-app tests/unit/test-attach \
	tests/unit/test-border tests/unit/test-look tests/unit/test-outer tests/unit/test-terminfo \
	tests/unit/test-chooser tests/unit/test-command tests/unit/test-draw \
	tests/unit/test-explainview tests/unit/test-feed tests/unit/test-gate tests/unit/test-helpview \
	tests/unit/test-input tests/unit/test-keytable tests/unit/test-link \
	tests/unit/test-mailview tests/unit/test-model tests/unit/test-modes tests/unit/test-pane \
	tests/unit/test-panel tests/unit/test-pass tests/unit/test-question tests/unit/test-scene \
	tests/unit/test-sidebar tests/unit/test-strings tests/unit/test-textview \
	tests/unit/test-tabbar tests/unit/test-tty tests/unit/test-viewer \
	tests/unit/test-app_layer tests/unit/test-app_mouse tests/unit/test-mouse tests/unit/test-token \
	tests/unit/test-typed tests/unit/test-url
tests_unit_test_action_SOURCES = tests/unit/test-action.c
tests_unit_test_action_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_action_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
FAKE_PERSON = tests/unit/fake-person.c tests/unit/fake-person.h tests/unit/fake-server.c \
	tests/unit/fake-server.h
FAKE_SESSION = $(FAKE_PERSON) tests/unit/fake-session.c tests/unit/fake-session.h
APP_SCENE = $(FAKE_SESSION) tests/unit/app-scene.c tests/unit/app-scene.h
tests_unit_test_app_SOURCES = tests/unit/test-app.c $(APP_SCENE)
tests_unit_test_app_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_attach_SOURCES = tests/unit/test-attach.c $(FAKE_PERSON)
tests_unit_test_attach_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_attach_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_border_SOURCES = tests/unit/test-border.c
tests_unit_test_border_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_border_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
APP_WORLD = tests/unit/app-world.c tests/unit/app-world.h
check_PROGRAMS += tests/unit/test-app_frame tests/unit/test-app_keys tests/unit/test-app_notify \
	tests/unit/test-app_views
tests_unit_test_app_frame_SOURCES = tests/unit/test-app_frame.c $(APP_WORLD)
tests_unit_test_app_frame_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_frame_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_app_keys_SOURCES = tests/unit/test-app_keys.c $(APP_WORLD)
tests_unit_test_app_keys_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_keys_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_app_notify_SOURCES = tests/unit/test-app_notify.c
tests_unit_test_app_notify_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_notify_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_app_views_SOURCES = tests/unit/test-app_views.c $(APP_WORLD)
tests_unit_test_app_views_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_views_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-agentpicker tests/unit/test-attention tests/unit/test-errand \
	tests/unit/test-app_draw tests/unit/test-app_sessions tests/unit/test-remembered \
	tests/unit/test-sessionpicker
tests_unit_test_remembered_SOURCES = tests/unit/test-remembered.c
tests_unit_test_remembered_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_remembered_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_app_draw_SOURCES = tests/unit/test-app_draw.c
tests_unit_test_app_draw_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_draw_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_app_sessions_SOURCES = tests/unit/test-app_sessions.c $(APP_WORLD)
tests_unit_test_app_sessions_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_sessions_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_sessionpicker_SOURCES = tests/unit/test-sessionpicker.c tests/unit/layer-host.c \
	tests/unit/layer-host.h
tests_unit_test_sessionpicker_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_sessionpicker_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_agentpicker_SOURCES = tests/unit/test-agentpicker.c tests/unit/layer-host.c \
	tests/unit/layer-host.h
tests_unit_test_agentpicker_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_agentpicker_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_attention_SOURCES = tests/unit/test-attention.c
tests_unit_test_attention_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_attention_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_errand_SOURCES = tests/unit/test-errand.c
tests_unit_test_errand_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_errand_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_chooser_SOURCES = tests/unit/test-chooser.c tests/unit/layer-host.c \
	tests/unit/layer-host.h
tests_unit_test_chooser_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_chooser_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_explainview_SOURCES = tests/unit/test-explainview.c tests/unit/layer-host.c \
	tests/unit/layer-host.h
tests_unit_test_explainview_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_explainview_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_helpview_SOURCES = tests/unit/test-helpview.c tests/unit/layer-host.c \
	tests/unit/layer-host.h
tests_unit_test_helpview_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_helpview_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_mailview_SOURCES = tests/unit/test-mailview.c tests/unit/layer-host.c \
	tests/unit/layer-host.h
tests_unit_test_mailview_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_mailview_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_panel_SOURCES = tests/unit/test-panel.c tests/unit/layer-host.c \
	tests/unit/layer-host.h
tests_unit_test_panel_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_panel_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_textview_SOURCES = tests/unit/test-textview.c tests/unit/layer-host.c \
	tests/unit/layer-host.h
tests_unit_test_textview_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_textview_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-app_config tests/unit/test-bindings
tests_unit_test_app_config_SOURCES = tests/unit/test-app_config.c
tests_unit_test_app_config_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_config_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_bindings_SOURCES = tests/unit/test-bindings.c
tests_unit_test_bindings_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_bindings_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_draw_SOURCES = tests/unit/test-draw.c
tests_unit_test_draw_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_draw_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_feed_SOURCES = tests/unit/test-feed.c
tests_unit_test_feed_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_feed_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_gate_SOURCES = tests/unit/test-gate.c
tests_unit_test_gate_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_gate_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_input_SOURCES = tests/unit/test-input.c
tests_unit_test_input_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_input_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_keytable_SOURCES = tests/unit/test-keytable.c tests/unit/manual.c \
	tests/unit/manual.h
tests_unit_test_keytable_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_keytable_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_link_SOURCES = tests/unit/test-link.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_link_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_link_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_look_SOURCES = tests/unit/test-look.c
tests_unit_test_look_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_look_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_model_SOURCES = tests/unit/test-model.c
tests_unit_test_model_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_model_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_modes_SOURCES = tests/unit/test-modes.c
tests_unit_test_modes_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_modes_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_app_copy_SOURCES = tests/unit/test-app_copy.c $(APP_SCENE)
tests_unit_test_app_copy_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_copy_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_app_mouse_SOURCES = tests/unit/test-app_mouse.c $(APP_SCENE)
tests_unit_test_app_mouse_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_mouse_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_app_layer_SOURCES = tests/unit/test-app_layer.c
tests_unit_test_app_layer_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_app_layer_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_mouse_SOURCES = tests/unit/test-mouse.c
tests_unit_test_mouse_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_mouse_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_token_SOURCES = tests/unit/test-token.c
tests_unit_test_token_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_token_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_terminfo_SOURCES = tests/unit/test-terminfo.c
tests_unit_test_terminfo_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_terminfo_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_outer_SOURCES = tests/unit/test-outer.c
tests_unit_test_outer_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_outer_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_pane_SOURCES = tests/unit/test-pane.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_pane_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_pane_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_pass_SOURCES = tests/unit/test-pass.c
tests_unit_test_pass_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_pass_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_question_SOURCES = tests/unit/test-question.c
tests_unit_test_question_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_question_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_scene_SOURCES = tests/unit/test-scene.c
tests_unit_test_scene_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_scene_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_sidebar_SOURCES = tests/unit/test-sidebar.c
tests_unit_test_sidebar_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_sidebar_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_strings_SOURCES = tests/unit/test-strings.c
tests_unit_test_strings_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_strings_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_tabbar_SOURCES = tests/unit/test-tabbar.c
tests_unit_test_tabbar_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_tabbar_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_tty_SOURCES = tests/unit/test-tty.c
tests_unit_test_tty_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_tty_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_typed_SOURCES = tests/unit/test-typed.c
tests_unit_test_typed_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_typed_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_url_SOURCES = tests/unit/test-url.c
tests_unit_test_url_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_url_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_command_SOURCES = tests/unit/test-command.c tests/unit/manual.c \
	tests/unit/manual.h
tests_unit_test_command_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_command_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_viewer_SOURCES = tests/unit/test-viewer.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_viewer_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_viewer_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_copydraw_SOURCES = tests/unit/test-copydraw.c tests/unit/copy_help.c \
	tests/unit/copy_help.h
tests_unit_test_copydraw_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_copydraw_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_copykeys_SOURCES = tests/unit/test-copykeys.c tests/unit/manual.c \
	tests/unit/manual.h
tests_unit_test_copykeys_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_copykeys_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_copymode_SOURCES = tests/unit/test-copymode.c tests/unit/copy_help.c \
	tests/unit/copy_help.h
tests_unit_test_copymode_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_copymode_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_copymotion_SOURCES = tests/unit/test-copymotion.c tests/unit/copy_help.c \
	tests/unit/copy_help.h
tests_unit_test_copymotion_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_copymotion_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_copyprompt_SOURCES = tests/unit/test-copyprompt.c tests/unit/copy_help.c \
	tests/unit/copy_help.h
tests_unit_test_copyprompt_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_copyprompt_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_copyreader_SOURCES = tests/unit/test-copyreader.c tests/unit/copy_help.c \
	tests/unit/copy_help.h
tests_unit_test_copyreader_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_copyreader_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_copyfind_SOURCES = tests/unit/test-copyfind.c tests/unit/copy_help.c \
	tests/unit/copy_help.h tests/unit/layer-host.c tests/unit/layer-host.h
tests_unit_test_copyfind_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_copyfind_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_copypattern_SOURCES = tests/unit/test-copypattern.c
tests_unit_test_copypattern_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_copypattern_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_copysearch_SOURCES = tests/unit/test-copysearch.c tests/unit/copy_help.c \
	tests/unit/copy_help.h
tests_unit_test_copysearch_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_copysearch_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_linecache_SOURCES = tests/unit/test-linecache.c tests/unit/copy_help.c \
	tests/unit/copy_help.h
tests_unit_test_linecache_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_linecache_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
tests_unit_test_selection_SOURCES = tests/unit/test-selection.c tests/unit/copy_help.c \
	tests/unit/copy_help.h
tests_unit_test_selection_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_selection_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
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

bench_programs += tests/bench/bench-copy
tests_bench_bench_copy_SOURCES = tests/bench/bench-copy.c
tests_bench_bench_copy_CFLAGS = $(AM_CFLAGS) $(CJSON_CFLAGS)
tests_bench_bench_copy_LDADD = $(UI_LIBS)
