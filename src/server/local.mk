noinst_LIBRARIES += libserver.a
libserver_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libserver_a_SOURCES = \
	%D%/adopt.c %D%/adopt.h \
	%D%/asciicast.c %D%/asciicast.h \
	%D%/callers.c %D%/callers.h \
	%D%/chain.c %D%/chain.h \
	%D%/childenv.c %D%/childenv.h \
	%D%/mail_caller.c %D%/mail_caller.h \
	%D%/method_mail.c %D%/method_mail.h \
	%D%/method_mail_identity.c \
	%D%/method_mail_past.c \
	%D%/method_mail_read.c \
	%D%/method_receipt.c \
	%D%/method_room.c \
	%D%/method_task.c \
	%D%/checkpoint.c %D%/checkpoint.h \
	%D%/connection.c %D%/connection.h \
	%D%/courtesy.c %D%/courtesy.h \
	%D%/crowd.c %D%/crowd.h \
	%D%/deliver.c %D%/deliver.h \
	%D%/deliver_guard.c %D%/deliver_guard.h \
	%D%/deliver_channel.c %D%/deliver_channel.h %D%/deliver_channel_own.h \
	%D%/deliver_past.c %D%/deliver_past.h \
	%D%/deliver_read.c \
	%D%/deliver_point.h \
	%D%/deliver_send.c \
	%D%/deliver_station.c %D%/deliver_station.h \
	%D%/deliver_type.c \
	%D%/foreground.c %D%/foreground.h \
	%D%/externals.c %D%/externals.h \
	%D%/grants.c %D%/grants.h \
	%D%/method_grant.c %D%/method_grant.h \
	%D%/keepsake.c %D%/keepsake.h \
	%D%/method_external.c %D%/method_external.h \
	%D%/method_agent.c \
	%D%/method_doctor.c \
	%D%/method_channel.c %D%/method_channel.h \
	%D%/method_guard.c %D%/method_guard.h \
	%D%/method_history.c \
	%D%/method_hook.c \
	%D%/method_layout.c %D%/method_layout.h \
	%D%/method_layout_client.c \
	%D%/method_layout_pane.c \
	%D%/method_layout_run.c \
	%D%/method_server.c \
	%D%/method_terminal.c \
	%D%/method_terminal_input.c \
	%D%/method_terminal_look.c \
	%D%/methods.c %D%/methods.h \
	%D%/held_keys.c %D%/held_keys.h \
	%D%/key_marks.c %D%/key_marks.h \
	%D%/events.c %D%/events.h \
	%D%/layout.c %D%/layout.h \
	%D%/layout_clients.c %D%/layout_clients.h \
	%D%/layout_host.c %D%/layout_host.h \
	%D%/layout_save.c %D%/layout_save.h \
	%D%/layout_tree.c %D%/layout_tree.h \
	%D%/pty.c %D%/pty.h \
	%D%/replacement.c %D%/replacement.h \
	%D%/respawn.c %D%/respawn.h \
	%D%/resume.c %D%/resume.h \
	%D%/retire.c %D%/retire.h \
	%D%/lifecycle.c %D%/lifecycle.h \
	%D%/listener.c %D%/listener.h \
	%D%/rpc.c %D%/rpc.h %D%/rpc_params.c %D%/rpc_server.h \
	%D%/screen_view.c %D%/screen_view.h \
	%D%/server.c %D%/server.h \
	%D%/settings.c %D%/settings.h \
	%D%/setup.c %D%/setup.h \
	%D%/start_request.c %D%/start_request.h \
	%D%/spooler.c %D%/spooler.h \
	%D%/state_waits.c %D%/state_waits.h \
	%D%/streams.c %D%/streams.h \
	%D%/target.c %D%/target.h \
	%D%/terminal.c %D%/terminal.h \
	%D%/terminal_environ.c %D%/terminal_environ.h \
	%D%/terminal_input.c %D%/terminal_own.h \
	%D%/terminal_probe.c %D%/terminal_probe.h \
	%D%/terminal_view.c %D%/terminal_view.h \
	%D%/terminals.c %D%/terminals.h \
	%D%/terminals_find.c \
	%D%/watchdog.c %D%/watchdog.h \
	%D%/wiring.c %D%/wiring.h
SERVER_LIBS = libserver.a libhold.a $(WAKE_LIBS)

if HAVE_CMOCKA
# tests/unit/test-MODULE.c for modules of this room.
check_PROGRAMS += \
	tests/unit/test-callers \
	tests/unit/test-childenv \
	tests/unit/test-connection \
	tests/unit/test-foreground \
	tests/unit/test-held_keys \
	tests/unit/test-key_marks \
	tests/unit/test-layout \
	tests/unit/test-layout_host \
	tests/unit/test-layout_save \
	tests/unit/test-layout_tree \
	tests/unit/test-listener \
	tests/unit/test-method_layout \
	tests/unit/test-method_layout_client \
	tests/unit/test-method_layout_pane \
	tests/unit/test-method_layout_run \
	tests/unit/test-methods \
	tests/unit/test-pty \
	tests/unit/test-respawn \
	tests/unit/test-resume \
	tests/unit/test-rpc \
	tests/unit/test-rpc_params \
	tests/unit/test-screen_view \
	tests/unit/test-setup \
	tests/unit/test-spooler \
	tests/unit/test-streams \
	tests/unit/test-terminal \
	tests/unit/test-terminals \
	tests/unit/test-watchdog
tests_unit_test_callers_SOURCES = tests/unit/test-callers.c
tests_unit_test_callers_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_callers_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_callers_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_childenv_SOURCES = tests/unit/test-childenv.c
tests_unit_test_childenv_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_childenv_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_childenv_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_connection_SOURCES = tests/unit/test-connection.c
tests_unit_test_connection_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_connection_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_connection_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_foreground_SOURCES = tests/unit/test-foreground.c
tests_unit_test_foreground_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_foreground_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_foreground_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_held_keys_SOURCES = tests/unit/test-held_keys.c
tests_unit_test_held_keys_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_held_keys_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_held_keys_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_key_marks_SOURCES = tests/unit/test-key_marks.c
tests_unit_test_key_marks_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_key_marks_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_key_marks_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_listener_SOURCES = tests/unit/test-listener.c
tests_unit_test_listener_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_listener_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_listener_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_pty_SOURCES = tests/unit/test-pty.c
tests_unit_test_pty_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_pty_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_pty_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_respawn_SOURCES = tests/unit/test-respawn.c
tests_unit_test_respawn_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_respawn_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_respawn_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_resume_SOURCES = tests/unit/test-resume.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_resume_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_resume_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_resume_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-retire
tests_unit_test_retire_SOURCES = tests/unit/test-retire.c
tests_unit_test_retire_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_retire_CFLAGS = $(MAIL_TEST_CFLAGS)
tests_unit_test_retire_LDADD = libmailtest.a $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_rpc_SOURCES = tests/unit/test-rpc.c
tests_unit_test_rpc_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_rpc_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_rpc_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)

tests_unit_test_rpc_params_SOURCES = tests/unit/test-rpc_params.c
tests_unit_test_rpc_params_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_rpc_params_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_rpc_params_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_screen_view_SOURCES = tests/unit/test-screen_view.c
tests_unit_test_screen_view_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_screen_view_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_screen_view_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_layout_tree_SOURCES = tests/unit/test-layout_tree.c
tests_unit_test_layout_tree_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_layout_tree_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_layout_tree_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_layout_SOURCES = tests/unit/test-layout.c
tests_unit_test_layout_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_layout_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_layout_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_layout_save_SOURCES = tests/unit/test-layout_save.c
tests_unit_test_layout_save_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_layout_save_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_layout_save_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_setup_SOURCES = tests/unit/test-setup.c
tests_unit_test_setup_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_setup_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_setup_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_spooler_SOURCES = tests/unit/test-spooler.c
tests_unit_test_spooler_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_spooler_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_spooler_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_streams_SOURCES = tests/unit/test-streams.c
tests_unit_test_streams_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_streams_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_streams_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
TERMINAL_FIXTURE = tests/unit/terminal-fixture.c tests/unit/terminal-fixture.h
tests_unit_test_terminal_SOURCES = tests/unit/test-terminal.c $(TERMINAL_FIXTURE)
tests_unit_test_terminal_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_terminal_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_terminal_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-terminal_input
tests_unit_test_terminal_input_SOURCES = tests/unit/test-terminal_input.c $(TERMINAL_FIXTURE)
tests_unit_test_terminal_input_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_terminal_input_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_terminal_input_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_terminals_SOURCES = tests/unit/test-terminals.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_terminals_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_terminals_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_terminals_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-settings
tests_unit_test_settings_SOURCES = tests/unit/test-settings.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_settings_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_settings_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_settings_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-terminals_find
tests_unit_test_terminals_find_SOURCES = tests/unit/test-terminals_find.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_terminals_find_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_terminals_find_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_terminals_find_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
LAYOUT_WORLD = tests/unit/layout-world.c tests/unit/layout-world.h \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_layout_host_SOURCES = tests/unit/test-layout_host.c \
	$(LAYOUT_WORLD)
tests_unit_test_layout_host_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_layout_host_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_layout_host_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_method_layout_SOURCES = tests/unit/test-method_layout.c \
	$(LAYOUT_WORLD)
tests_unit_test_method_layout_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_layout_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_layout_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_method_layout_client_SOURCES = tests/unit/test-method_layout_client.c \
	$(LAYOUT_WORLD)
tests_unit_test_method_layout_client_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_layout_client_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_layout_client_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_method_layout_pane_SOURCES = tests/unit/test-method_layout_pane.c \
	$(LAYOUT_WORLD)
tests_unit_test_method_layout_pane_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_layout_pane_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_layout_pane_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_method_layout_run_SOURCES = tests/unit/test-method_layout_run.c \
	$(LAYOUT_WORLD)
tests_unit_test_method_layout_run_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_layout_run_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_layout_run_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_methods_SOURCES = tests/unit/test-methods.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_methods_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_methods_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_methods_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_watchdog_SOURCES = tests/unit/test-watchdog.c
tests_unit_test_watchdog_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_watchdog_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_watchdog_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-adopt
tests_unit_test_adopt_SOURCES = tests/unit/test-adopt.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_adopt_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_adopt_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_adopt_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-method_agent
tests_unit_test_method_agent_SOURCES = tests/unit/test-method_agent.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_method_agent_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_agent_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_agent_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-method_doctor
tests_unit_test_method_doctor_SOURCES = tests/unit/test-method_doctor.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_method_doctor_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_doctor_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_doctor_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-method_server
tests_unit_test_method_server_SOURCES = tests/unit/test-method_server.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_method_server_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_server_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_server_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-method_hook
tests_unit_test_method_hook_SOURCES = tests/unit/test-method_hook.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_method_hook_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_hook_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_hook_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-terminal_probe
tests_unit_test_terminal_probe_SOURCES = tests/unit/test-terminal_probe.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_terminal_probe_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_terminal_probe_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_terminal_probe_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-state_waits
tests_unit_test_state_waits_SOURCES = tests/unit/test-state_waits.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_state_waits_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_state_waits_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_state_waits_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-asciicast
tests_unit_test_asciicast_SOURCES = tests/unit/test-asciicast.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_asciicast_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_asciicast_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_asciicast_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-method_terminal_input
tests_unit_test_method_terminal_input_SOURCES = tests/unit/test-method_terminal_input.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_method_terminal_input_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_terminal_input_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_terminal_input_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-method_terminal_look
tests_unit_test_method_terminal_look_SOURCES = tests/unit/test-method_terminal_look.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_method_terminal_look_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_terminal_look_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_terminal_look_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-method_terminal
tests_unit_test_method_terminal_SOURCES = tests/unit/test-method_terminal.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_method_terminal_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_terminal_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_terminal_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-lifecycle
tests_unit_test_lifecycle_SOURCES = tests/unit/test-lifecycle.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_lifecycle_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_lifecycle_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_lifecycle_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-replacement
tests_unit_test_replacement_SOURCES = tests/unit/test-replacement.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_replacement_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_replacement_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_replacement_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-contract
tests_unit_test_contract_SOURCES = tests/unit/test-contract.c
tests_unit_test_contract_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_contract_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_contract_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/unit/test-target
tests_unit_test_target_SOURCES = tests/unit/test-target.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_target_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_target_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_target_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-terminal_environ
tests_unit_test_terminal_environ_SOURCES = tests/unit/test-terminal_environ.c
tests_unit_test_terminal_environ_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_terminal_environ_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_terminal_environ_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-checkpoint
tests_unit_test_checkpoint_SOURCES = tests/unit/test-checkpoint.c
tests_unit_test_checkpoint_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_checkpoint_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_checkpoint_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-terminal_view
tests_unit_test_terminal_view_SOURCES = tests/unit/test-terminal_view.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_terminal_view_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_terminal_view_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_terminal_view_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-grants
tests_unit_test_grants_SOURCES = tests/unit/test-grants.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_grants_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_grants_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_grants_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-externals tests/unit/test-keepsake tests/unit/test-method_external
tests_unit_test_externals_SOURCES = tests/unit/test-externals.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_externals_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_externals_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_externals_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_keepsake_SOURCES = tests/unit/test-keepsake.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_keepsake_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_keepsake_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_keepsake_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
tests_unit_test_method_external_SOURCES = tests/unit/test-method_external.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_method_external_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_external_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_external_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-server
tests_unit_test_server_SOURCES = tests/unit/test-server.c
tests_unit_test_server_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_server_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_server_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-wiring
tests_unit_test_wiring_SOURCES = tests/unit/test-wiring.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_wiring_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_wiring_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_wiring_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-start_request
tests_unit_test_start_request_SOURCES = tests/unit/test-start_request.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_start_request_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_start_request_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_start_request_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-method_history
tests_unit_test_method_history_SOURCES = tests/unit/test-method_history.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_method_history_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_history_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_history_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-method_channel
tests_unit_test_method_channel_SOURCES = tests/unit/test-method_channel.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_method_channel_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_method_channel_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_method_channel_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-events
tests_unit_test_events_SOURCES = tests/unit/test-events.c \
	tests/unit/server-world.c tests/unit/server-world.h
tests_unit_test_events_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_events_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_events_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-layout_clients
tests_unit_test_layout_clients_SOURCES = tests/unit/test-layout_clients.c
tests_unit_test_layout_clients_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_layout_clients_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_layout_clients_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-crowd
tests_unit_test_crowd_SOURCES = tests/unit/test-crowd.c
tests_unit_test_crowd_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_crowd_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_crowd_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/unit/test-courtesy
tests_unit_test_courtesy_SOURCES = tests/unit/test-courtesy.c
tests_unit_test_courtesy_CPPFLAGS = $(libserver_a_CPPFLAGS)
tests_unit_test_courtesy_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_courtesy_LDADD = $(SERVER_LIBS) $(CMOCKA_LIBS)
endif
