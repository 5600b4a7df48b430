noinst_LIBRARIES += libcmd.a
libcmd_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libcmd_a_SOURCES = \
	%D%/args.c %D%/args.h \
	%D%/attach_view.c %D%/attach_view.h \
	%D%/cmd_ack.c \
	%D%/cmd_announce.c \
	%D%/cmd_grant.c \
	%D%/cmd_register.c \
	%D%/cmd_attach.c \
	%D%/cmd_block.c \
	%D%/cmd_can_wake.c \
	%D%/cmd_capture.c \
	%D%/cmd_channel.c \
	%D%/cmd_config.c \
	%D%/checkup.h \
	%D%/checkup_agents.c \
	%D%/checkup_files.c \
	%D%/checkup_probe.c \
	%D%/checkup_server.c \
	%D%/cmd_dnd.c \
	%D%/cmd_doctor.c \
	%D%/cmd_events.c \
	%D%/cmd_explain.c \
	%D%/cmd_forget.c \
	%D%/cmd_help.c \
	%D%/cmd_history.c \
	%D%/cmd_hook.c \
	%D%/cmd_inbox.c \
	%D%/cmd_keys.c \
	%D%/cmd_kill.c \
	%D%/cmd_list.c \
	%D%/cmd_log.c \
	%D%/cmd_mcp.c \
	%D%/cmd_overview.c \
	%D%/cmd_parked.c \
	%D%/cmd_peek.c \
	%D%/cmd_receipt.c \
	%D%/cmd_receipts.c \
	%D%/cmd_sessions.c \
	%D%/cmd_reload.c \
	%D%/cmd_replay.c \
	%D%/cmd_resize.c \
	%D%/cmd_respawn.c \
	%D%/cmd_ring.c \
	%D%/cmd_room.c \
	%D%/cmd_rpc.c \
	%D%/cmd_run.c \
	%D%/cmd_screen.c \
	%D%/cmd_send.c \
	%D%/cmd_server.c \
	%D%/cmd_server_main.c \
	%D%/cmd_steer.c \
	%D%/cmd_task.c \
	%D%/cmd_type.c \
	%D%/cmd_upgrade.c \
	%D%/cmd_version.c \
	%D%/cmd_wait.c \
	%D%/cmd_wait_state.c \
	%D%/cmd_whoami.c \
	%D%/command.h %D%/commands.h %D%/dispatch.c \
	%D%/findings.c %D%/findings.h \
	%D%/follow.c %D%/follow.h \
	%D%/help.c %D%/help.h \
	%D%/mail_view.c %D%/mail_view.h \
	%D%/own_environ.c %D%/own_environ.h \
	%D%/print.c %D%/print.h \
	%D%/session.c %D%/session.h \
	%D%/table.c %D%/table.h \
	%D%/terminal_view.c %D%/terminal_view.h \
	%D%/ui_view.c %D%/ui_view.h \
	%D%/user_config.c %D%/user_config.h
CMD_LIBS = libcmd.a $(UI_LIBS) $(BRIDGE_LIBS) $(SERVER_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test-args tests/unit/test-cmd_print tests/unit/test-follow \
	tests/unit/test-session tests/unit/test-table
tests_unit_test_args_SOURCES = tests/unit/test-args.c
tests_unit_test_args_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_args_LDADD = libcmd.a $(BASE_LIBS) $(CMOCKA_LIBS)
tests_unit_test_cmd_print_SOURCES = tests/unit/test-cmd_print.c
tests_unit_test_cmd_print_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_cmd_print_LDADD = $(CMD_LIBS) $(CMOCKA_LIBS)
tests_unit_test_follow_SOURCES = tests/unit/test-follow.c tests/unit/fake-server.c \
	tests/unit/fake-server.h
tests_unit_test_follow_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_follow_LDADD = $(CMD_LIBS) $(CMOCKA_LIBS)
tests_unit_test_session_SOURCES = tests/unit/test-session.c
tests_unit_test_session_CFLAGS = $(UNIT_CFLAGS) $(CJSON_CFLAGS)
tests_unit_test_session_LDADD = $(CMD_LIBS) $(CMOCKA_LIBS)
tests_unit_test_table_SOURCES = tests/unit/test-table.c
tests_unit_test_table_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_table_LDADD = $(CMD_LIBS) $(CMOCKA_LIBS)
endif
