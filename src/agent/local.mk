noinst_LIBRARIES += libagent.a
libagent_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(PCRE2_CFLAGS) $(SQLITE_CFLAGS)
libagent_a_SOURCES = \
	%D%/cast.c %D%/cast.h \
	%D%/drift.c %D%/drift.h \
	%D%/evidence.c %D%/evidence.h \
	%D%/echo.c \
	%D%/explain.c \
	%D%/fuse.c %D%/fuse.h \
	%D%/json_read.c %D%/json_read.h \
	%D%/judge.c %D%/judge.h \
	%D%/launch.c %D%/launch.h \
	%D%/pattern.c %D%/pattern.h \
	%D%/person.c %D%/person.h \
	%D%/profile.c %D%/profile.h \
	%D%/profile_data.h %D%/resume_spec.h \
	%D%/profile_read.c \
	%D%/proof.c %D%/proof.h %D%/proof_own.h \
	%D%/proof_past.c \
	%D%/record.c %D%/record.h \
	%D%/replay.c %D%/replay.h \
	%D%/replay_check.c %D%/replay_check.h \
	%D%/rules.c %D%/rules.h \
	%D%/session_folder.c %D%/session_folder.h \
	%D%/status_file.c %D%/status_file.h \
	%D%/turn_line.c %D%/turn_line.h \
	%D%/turn_store.c %D%/turn_store.h \
	%D%/view.c %D%/view.h
nodist_libagent_a_SOURCES = %D%/profile_builtin.c
AGENT_LIBS = libagent.a $(PCRE2_LIBS) $(SQLITE_LIBS) $(TERM_LIBS) $(BASE_LIBS)

# The profiles are compiled in as bytes: a string literal of that length is not portable C.
BH_PROFILES = claude codex demo gemini generic opencode pi
BH_PROFILE_FILES = \
	%D%/profiles/claude.json %D%/profiles/codex.json \
	%D%/profiles/demo.json %D%/profiles/gemini.json %D%/profiles/generic.json \
	%D%/profiles/opencode.json %D%/profiles/pi.json
EXTRA_DIST += $(BH_PROFILE_FILES)
CLEANFILES += %D%/profile_builtin.c
%D%/profile_builtin.c: $(BH_PROFILE_FILES) %D%/local.mk
	$(AM_V_GEN)mkdir -p %D% && { \
	echo '#include "src/agent/profile_data.h"'; \
	for name in $(BH_PROFILES); do \
		echo "static const unsigned char profile_$$name[] = {"; \
		od -An -v -tx1 $(srcdir)/%D%/profiles/$$name.json | \
			sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; \
		echo '};'; \
	done; \
	echo 'const struct bh_profile_source bh_profile_builtin[] = {'; \
	for name in $(BH_PROFILES); do \
		echo "{\"$$name\", profile_$$name, sizeof profile_$$name},"; \
	done; \
	echo '{0}};'; } > $@.tmp && mv $@.tmp $@

# Recordings of real programs, judged by `make check`.
EXTRA_DIST += tests/casts

if HAVE_CMOCKA
AGENT_TESTS_UNIT = \
	tests/unit/test-drift \
	tests/unit/test-fuse \
	tests/unit/test-judge \
	tests/unit/test-launch \
	tests/unit/test-person \
	tests/unit/test-profile \
	tests/unit/test-profile_read \
	tests/unit/test-proof \
	tests/unit/test-replay \
	tests/unit/test-replay_check \
	tests/unit/test-rules
check_PROGRAMS += $(AGENT_TESTS_UNIT)
tests_unit_test_drift_SOURCES = tests/unit/test-drift.c
tests_unit_test_drift_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_drift_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_fuse_SOURCES = tests/unit/test-fuse.c
tests_unit_test_fuse_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_fuse_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_judge_SOURCES = tests/unit/test-judge.c
tests_unit_test_judge_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_judge_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_launch_SOURCES = tests/unit/test-launch.c
tests_unit_test_launch_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_launch_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_person_SOURCES = tests/unit/test-person.c
tests_unit_test_person_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_person_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_profile_SOURCES = tests/unit/test-profile.c
tests_unit_test_profile_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_profile_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_profile_read_SOURCES = tests/unit/test-profile_read.c
tests_unit_test_profile_read_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_profile_read_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_proof_SOURCES = tests/unit/test-proof.c
tests_unit_test_proof_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_proof_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_replay_SOURCES = tests/unit/test-replay.c
tests_unit_test_replay_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_replay_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_replay_check_SOURCES = tests/unit/test-replay_check.c
tests_unit_test_replay_check_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_replay_check_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
tests_unit_test_rules_SOURCES = tests/unit/test-rules.c
tests_unit_test_rules_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_rules_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-pattern
tests_unit_test_pattern_SOURCES = tests/unit/test-pattern.c
tests_unit_test_pattern_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_pattern_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-json_read
tests_unit_test_json_read_SOURCES = tests/unit/test-json_read.c
tests_unit_test_json_read_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_json_read_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-status_file
tests_unit_test_status_file_SOURCES = tests/unit/test-status_file.c
tests_unit_test_status_file_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_status_file_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-turn_line
tests_unit_test_turn_line_SOURCES = tests/unit/test-turn_line.c
tests_unit_test_turn_line_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_turn_line_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-proof_past
tests_unit_test_proof_past_SOURCES = tests/unit/test-proof_past.c
tests_unit_test_proof_past_CFLAGS = $(UNIT_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_proof_past_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-turn_store
tests_unit_test_turn_store_SOURCES = tests/unit/test-turn_store.c
tests_unit_test_turn_store_CFLAGS = $(UNIT_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_turn_store_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-session_folder
tests_unit_test_session_folder_SOURCES = tests/unit/test-session_folder.c
tests_unit_test_session_folder_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_session_folder_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-view
tests_unit_test_view_SOURCES = tests/unit/test-view.c
tests_unit_test_view_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_view_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-echo
tests_unit_test_echo_SOURCES = tests/unit/test-echo.c
tests_unit_test_echo_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_echo_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-record
tests_unit_test_record_SOURCES = tests/unit/test-record.c
tests_unit_test_record_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_record_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-cast
tests_unit_test_cast_SOURCES = tests/unit/test-cast.c
tests_unit_test_cast_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_cast_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-evidence
tests_unit_test_evidence_SOURCES = tests/unit/test-evidence.c
tests_unit_test_evidence_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_evidence_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test-explain
tests_unit_test_explain_SOURCES = tests/unit/test-explain.c
tests_unit_test_explain_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_explain_LDADD = $(AGENT_LIBS) $(CMOCKA_LIBS)
endif

# Readers of outside bytes; see term/local.mk for how fuzz targets are built.
EXTRA_DIST += tests/fuzz/corpus-fuzz-agent
tests_fuzz_fuzz_agent_SOURCES = tests/fuzz/fuzz-agent.c
tests_fuzz_fuzz_agent_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
tests_fuzz_fuzz_agent_LDADD = $(AGENT_LIBS)
if FUZZ
EXTRA_PROGRAMS += tests/fuzz/fuzz-agent
tests_fuzz_fuzz_agent_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
check_PROGRAMS += tests/fuzz/fuzz-agent
tests_fuzz_fuzz_agent_SOURCES += tests/fuzz/driver.c
endif
