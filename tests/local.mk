# tests: what belongs to no room. Each room adds its unit tests in its own fragment.
EXTRA_DIST += %D%/run-test %D%/libvterm-next.sh

# Black-box cases of the program.
BATS_FILES = %D%/cli/attach.bats %D%/cli/bad_input.bats %D%/cli/channel.bats %D%/cli/config.bats %D%/cli/crash.bats %D%/cli/doctor.bats %D%/cli/events.bats \
	%D%/cli/guards.bats %D%/cli/identity.bats %D%/cli/layout.bats %D%/cli/mail.bats %D%/cli/outer.bats %D%/cli/output.bats %D%/cli/replay.bats \
	%D%/cli/rooms.bats %D%/cli/server.bats \
	%D%/cli/tasks.bats %D%/cli/terminal.bats %D%/cli/ui.bats %D%/cli/ui_copy.bats %D%/cli/ui_mouse.bats %D%/cli/ui_random.bats %D%/cli/ui_screens.bats %D%/cli/ui_views.bats %D%/cli/waits.bats %D%/cli/words.bats
EXTRA_DIST += %D%/cli/helper.bash %D%/cli/ui_helper.bash %D%/cli/screens %D%/cli/crowd.py %D%/cli/deaf.py %D%/cli/hostile.py \
	%D%/cli/ui_deaths.py %D%/cli/ui_random.py %D%/cli/ui_soak.py %D%/cli/crashes.py %D%/cli/readers.py %D%/cli/outer.py
EXTRA_DIST += $(BATS_FILES)
if HAVE_BATS
TESTS += $(BATS_FILES)
endif

# The program with faults between the steps of a typing; faults.bats drives it, and all of its cases
# are run by `make check-typing` (some minutes).
BATS_FILES += %D%/cli/durable.bats %D%/cli/faults.bats %D%/cli/typing.bats %D%/cli/watched.bats
EXTRA_PROGRAMS += %D%/faults/bellhop
CLEANFILES += %D%/faults/bellhop
check_DATA = %D%/faults/bellhop
tests_faults_bellhop_SOURCES = src/main.c src/server/wiring.c \
	%D%/faults/disk.c %D%/faults/disk.h %D%/faults/disk_file.c \
	%D%/faults/fault.c %D%/faults/fault.h
tests_faults_bellhop_CPPFLAGS = $(libserver_a_CPPFLAGS) -DBH_FAULTS
tests_faults_bellhop_LDADD = $(BELLHOP_LIBS)
EXTRA_DIST += %D%/cli/faults.py %D%/cli/bodies.py %D%/cli/durable.py
check-typing: all-am %D%/faults/bellhop
	python3 '$(srcdir)/%D%/cli/faults.py' '$(abs_top_builddir)' --agents plain,swallow,queue,silent,lag,lag-queue

# What another libvterm could make different: all of term/, and what stands right on it.
VTERM_TESTS = $(TERM_TESTS) %D%/screens/run-screens %D%/fuzz/fuzz-term %D%/fuzz/fuzz-feed %D%/fuzz/fuzz-agent \
	%D%/unit/test-checkpoint %D%/unit/test-feed %D%/unit/test-replay %D%/unit/test-tape
VTERM_BATS = %D%/cli/attach.bats %D%/cli/output.bats %D%/cli/replay.bats %D%/cli/terminal.bats %D%/cli/ui_screens.bats
check-vterm: all-am $(VTERM_TESTS)
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(VTERM_TESTS) $(VTERM_BATS)' \
		check_PROGRAMS= check_LIBRARIES= check_DATA=

# A million steps at random through delivery (a quarter of an hour).
check-walk: %D%/unit/test-deliver_walk
	BELLHOP_TEST_SRCDIR='$(abs_top_srcdir)' BELLHOP_WALKS=400 BELLHOP_WALK_STEPS=2500 \
		%D%/unit/test-deliver_walk

# All orders of what server, disk, agent, person, reader and crash can do, in a model (a minute or two).
EXTRA_DIST += %D%/model/run-model %D%/model/table.awk %D%/model/delivery.pml
check-model:
	'$(srcdir)/%D%/model/run-model' '$(abs_top_srcdir)' '$(abs_top_builddir)/%D%/model-run'

# 20,000 messages while the server is killed, on a good disk and on each kind of bad one (minutes).
check-long: all-am %D%/faults/bellhop check-walk
	for disk in none sync write full tmpfs limit; do \
		python3 '$(srcdir)/%D%/cli/durable.py' '$(abs_top_builddir)' --disk $$disk || exit 1; \
	done

# Minutes of a person before agents that draw all the time, in the UI in a tmux; SOAK_SEED repeats one.
SOAK_MINUTES = 40
SOAK_SEED =
check-soak: all
	python3 '$(srcdir)/%D%/cli/ui_soak.py' '$(abs_top_builddir)' $(SOAK_MINUTES) $(SOAK_SEED)

# Static checks; `make lint LINT_STEPS="source format"` runs some of them.
EXTRA_DIST += %D%/lint/run-lint %D%/lint/check-source %D%/lint/check-contract %D%/lint/cppcheck.txt \
	%D%/contract.map
LINT_STEPS =
lint: config.h
	CPPFLAGS='$(CJSON_CFLAGS) $(CMOCKA_CFLAGS) $(PCRE2_CFLAGS) $(SQLITE_CFLAGS) $(UTF8PROC_CFLAGS) $(UV_CFLAGS) $(VTERM_CFLAGS)' \
	'$(srcdir)/%D%/lint/run-lint' '$(abs_top_srcdir)' '$(abs_top_builddir)' $(LINT_STEPS)

# Figures, printed, never asserted. Rooms add programs to bench_programs.
BENCH_CHILDREN = %D%/bench/spinner %D%/bench/ticker
EXTRA_DIST += %D%/bench/run-bench %D%/bench/hosts.py %D%/bench/mail.py %D%/bench/session.py %D%/bench/ui.py
EXTRA_PROGRAMS += $(bench_programs) $(BENCH_CHILDREN)
CLEANFILES += $(bench_programs) $(BENCH_CHILDREN)
bench: all-am $(bench_programs) $(BENCH_CHILDREN)
	'$(srcdir)/%D%/bench/run-bench' '$(abs_top_srcdir)' '$(abs_top_builddir)' $(bench_programs) \
		'$(abs_srcdir)/%D%/bench/mail.py' '$(abs_srcdir)/%D%/bench/session.py' '$(abs_srcdir)/%D%/bench/ui.py'

.PHONY: lint bench bench-agents check-agents check-long check-model check-soak check-typing check-vterm check-walk

clean-local:
	rm -rf tests/home tests/tmp tests/run tests/model-run

# The real agents against a mock of their model; `make check` leaves them out. The longest first.
AGENT_TESTS = %D%/agents/claude.mjs %D%/agents/faults_claude.mjs %D%/agents/codex.mjs %D%/agents/gemini.mjs \
	%D%/agents/opencode.mjs %D%/agents/faults_codex.mjs %D%/agents/resume.mjs %D%/agents/ui.mjs %D%/agents/pi.mjs
EXTRA_DIST += $(AGENT_TESTS) %D%/agents/faults.mjs %D%/agents/latency.mjs %D%/agents/suite.mjs \
	%D%/agents/lib/cli.mjs %D%/agents/lib/leftovers.mjs %D%/agents/lib/others.mjs %D%/agents/lib/outer.mjs %D%/agents/lib/session.mjs %D%/agents/lib/tap.mjs \
	%D%/agents/mock/anthropic.mjs %D%/agents/mock/mock-model.mjs \
	%D%/agents/mock/gemini.mjs %D%/agents/mock/openai-chat.mjs %D%/agents/mock/openai-responses.mjs
bench-agents: all
	BELLHOP_TEST_BUILDDIR='$(abs_top_builddir)' node '$(abs_srcdir)/%D%/agents/latency.mjs'
check-agents: all-am %D%/faults/bellhop
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(AGENT_TESTS)' \
		check_PROGRAMS= check_LIBRARIES=
