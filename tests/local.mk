# tests: what belongs to no room. Each room adds its unit tests in its own fragment.
EXTRA_DIST += %D%/run-test %D%/libvterm-next.sh

# Black-box cases of the program.
BATS_FILES = %D%/cli/attach.bats %D%/cli/bad_input.bats %D%/cli/crash.bats %D%/cli/layout.bats %D%/cli/mail.bats \
	%D%/cli/output.bats %D%/cli/replay.bats %D%/cli/server.bats %D%/cli/terminal.bats %D%/cli/ui.bats \
	%D%/cli/words.bats
EXTRA_DIST += %D%/cli/helper.bash %D%/cli/hostile.py %D%/cli/crashes.py
EXTRA_DIST += $(BATS_FILES)
if HAVE_BATS
TESTS += $(BATS_FILES)
endif

# Static checks; `make lint LINT_STEPS="source format"` runs some of them.
EXTRA_DIST += %D%/lint/run-lint %D%/lint/check-source %D%/lint/cppcheck.txt
LINT_STEPS =
lint: config.h
	CPPFLAGS='$(CJSON_CFLAGS) $(CMOCKA_CFLAGS) $(PCRE2_CFLAGS) $(SQLITE_CFLAGS) $(UTF8PROC_CFLAGS) $(UV_CFLAGS) $(VTERM_CFLAGS)' \
	'$(srcdir)/%D%/lint/run-lint' '$(abs_top_srcdir)' '$(abs_top_builddir)' $(LINT_STEPS)

# Figures, printed, never asserted. Rooms add programs to bench_programs.
EXTRA_DIST += %D%/bench/run-bench %D%/bench/session.py
EXTRA_PROGRAMS += $(bench_programs) %D%/bench/ticker
CLEANFILES += $(bench_programs) %D%/bench/ticker
bench: all $(bench_programs) %D%/bench/ticker
	'$(srcdir)/%D%/bench/run-bench' '$(abs_top_srcdir)' '$(abs_top_builddir)' $(bench_programs) \
		'$(abs_srcdir)/%D%/bench/session.py'

.PHONY: lint bench check-agents

clean-local:
	rm -rf tests/home tests/tmp tests/run

# The real agents against a mock of their model; `make check` leaves them out.
AGENT_TESTS = %D%/agents/claude.mjs %D%/agents/codex.mjs
EXTRA_DIST += $(AGENT_TESTS) %D%/agents/suite.mjs \
	%D%/agents/lib/cli.mjs %D%/agents/lib/session.mjs %D%/agents/lib/tap.mjs \
	%D%/agents/mock/anthropic.mjs %D%/agents/mock/mock-model.mjs \
	%D%/agents/mock/openai-responses.mjs
check-agents: all
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(AGENT_TESTS)' \
		check_PROGRAMS= check_LIBRARIES=
