#!/usr/bin/env bats
# Bad input: a clear error that says what to do, the exit status of CONTRACT.md, nothing lost.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; loop counters; names from helper
load helper

# refused COMMAND...: exit status 1 and a sentence, not only a word.
refused() {
	run -1 bellhop "$@"
	[[ "$output" == *" "* ]]
}

@test "unknown commands and options: status 2, with the nearest word" {
	run -2 bellhop lsit
	[[ "$output" == *list* ]]
	run -2 bellhop list --jsno
	run -2 bellhop screen
	run -2 bellhop run
	run -2 bellhop run --size 80 -- true
	run -2 bellhop run --respawn sometimes -- true
	run -2 bellhop wait-state a dreaming
	run -1 bellhop run --profile cloude -- true
	[[ "$output" == *claude* ]]
}

@test "help and version need no server" {
	bellhop --help | grep -q send
	bellhop send --help
	bellhop --version
	[ ! -e "$runtime/default/server.sock" ]
}

@test "unknown names: status 1, with the nearest name" {
	start_demo reviewer
	for verb in screen kill respawn explain log; do
		refused $verb reviewr
		[[ "$output" == *reviewer* ]] || {
			echo "$verb: $output"
			return 1
		}
	done
	refused wait-state nobody idle --timeout 30s
	refused type nobody text
	refused receipt m999
}

@test "a name that has mail but no terminal is not suggested for itself" {
	send ghost 'are you there?'
	for verb in screen kill respawn attach; do
		refused "$verb" ghost </dev/null
		[[ "$output" != *"did you mean"* ]]
	done
	refused screen GHOST
	[[ "$output" == *"bellhop run --name ghost -- PROGRAM"* ]]
}

@test "bodies: empty, oversized, not UTF-8" {
	start_demo a
	run -1 bellhop send a - <<<""
	head -c 300000 /dev/zero | tr '\0' x >"$BATS_TEST_TMPDIR/big"
	run -1 bellhop send a --file "$BATS_TEST_TMPDIR/big"
	[[ "$output" == *"longer than 262144 bytes; nothing was stored"* ]]
	run -1 bellhop send a <"$BATS_TEST_TMPDIR/big"
	[[ "$output" == *"longer than 262144 bytes; nothing was stored"* ]]
	printf 'bad \377 byte' >"$BATS_TEST_TMPDIR/bad"
	run -1 bellhop send a --file "$BATS_TEST_TMPDIR/bad"
	[[ "$output" == *UTF-8* ]]
	run -1 bellhop send a --file "$BATS_TEST_TMPDIR/none"
	[ "$(bellhop history --json a | jq '.messages | length')" = 0 ]
	head -c 262144 /dev/zero | tr '\0' x >"$BATS_TEST_TMPDIR/limit"
	send a "$(cat "$BATS_TEST_TMPDIR/limit")"
	[ "$(field delivery_path)" = notice ]
}

@test "recipients that cannot be" {
	for name in 'a b' '-x' '../x' "$(printf 'x%.0s' {1..65})" ''; do
		run bellhop send -- "$name" text
		[[ "$status" = 1 || "$status" = 2 ]] || {
			echo "'$name': status $status: $output"
			return 1
		}
	done
}

@test "garbage on the socket: an error, and the server lives" {
	bellhop list
	pid=$(bellhop server status --json | jq .pid)
	python3 - "$runtime/default/server.sock" <<-'PY'
		import os, random, socket, sys
		random.seed(1)
		for data in (b"\0\0\0\0", b"{", b"[]\n", b"null\n", b'{"jsonrpc":"2.0","id":1}\n', b"\xff\xfe\n",
		             b'{"jsonrpc":"2.0","id":1,"method":"terminal.run","params":{"argv":[]}}\n',
		             b"[" * 100000 + b"\n", b"x" * 2000000, b"\0\1\xff\xff\xff\xff\xff\xff",
		             bytes(random.randrange(256) for _ in range(5000))):
		    s = socket.socket(socket.AF_UNIX)
		    s.settimeout(2)
		    s.connect(sys.argv[1])
		    try:
		        s.sendall(data)
		        s.shutdown(socket.SHUT_WR)
		        while s.recv(65536):
		            pass
		    except OSError:
		        pass
		    s.close()
	PY
	[ "$(bellhop server status --json | jq .pid)" = "$pid" ]
}

@test "a broken profile is told with file and line; the built-in one stays in force" {
	mkdir -p "$home/config/bellhop/profiles"
	printf '{\n  "name": "demo",\n  "rules": [ oops ]\n}\n' >"$home/config/bellhop/profiles/demo.json"
	start_demo a
	send a "still works"
	expect_answer terminal=typed
	grep -q 'demo.json' "$state/default/server.log"
}

@test "a broken cast is refused with words" {
	echo 'not a cast' >"$BATS_TEST_TMPDIR/x.cast"
	run -1 bellhop replay "$BATS_TEST_TMPDIR/x.cast" --profile demo --states
	[[ "$output" == *x.cast* ]]
	run -1 bellhop replay "$BATS_TEST_TMPDIR/none.cast" --profile demo --states
}

@test "a state folder of a newer version is left alone" {
	bellhop list
	bellhop server stop
	python3 - "$state/default/mail.db" <<-'PY'
		import sqlite3, sys
		db = sqlite3.connect(sys.argv[1])
		db.execute("pragma user_version = 999999")
		db.commit()
	PY
	sum=$(sha256sum <"$state/default/mail.db")
	run -1 bellhop list
	[[ "$output" == *newer* ]]
	[ "$(sha256sum <"$state/default/mail.db")" = "$sum" ]
}

@test "a damaged mail store is told, not overwritten" {
	bellhop list
	bellhop server stop
	rm -f "$state/default"/mail.db-*
	head -c 100000 /dev/urandom >"$state/default/mail.db"
	sum=$(sha256sum <"$state/default/mail.db")
	run -1 bellhop list
	[ "$(sha256sum <"$state/default/mail.db")" = "$sum" ]
}

@test "a runtime folder of another user is refused" {
	[ "$(id -u)" = 0 ] || skip "needs root to make a folder of another user"
	mkdir "$runtime/default"
	chown 65534 "$runtime/default"
	run -1 bellhop list
	[[ "$output" == *"$runtime/default"* ]]
	rmdir "$runtime/default"
}

@test "a runtime folder that others may enter is refused or closed" {
	mkdir -m 777 "$runtime/default"
	run bellhop list
	[ "$status" = 1 ] || [ "$(stat -c %a "$runtime/default")" = 700 ]
}

@test "a full disk: the send fails with words, mail before it is there after it" {
	mkdir -p "$state"
	mount -t tmpfs -o size=600k,mode=700 bellhop-test "$state" 2>/dev/null || skip "may not mount a small file system"
	start_demo a
	send a "before"
	expect_answer terminal=typed
	wait_idle a
	send ghost "unread"
	head -c 900000 /dev/zero >"$state/fill" 2>/dev/null || true
	failed=no
	for i in $(seq 1 20); do
		bellhop send --no-wait a "$(head -c 60000 /dev/zero | tr '\0' x)" >"$BATS_TEST_TMPDIR/out" 2>&1 || {
			[ $? = 1 ] && failed=yes && break
		}
	done
	[ "$failed" = yes ]
	grep -qF "$state/default/mail.db" "$BATS_TEST_TMPDIR/out"
	# A server that dies now is followed by one that shows what is there.
	head -c 900000 /dev/zero >>"$state/fill" 2>/dev/null || true
	pid=$(bellhop server status --json | jq .pid)
	kill -KILL "$pid"
	bellhop server status --json | jq -e ".pid != $pid"
	bellhop list | grep -q demo-agent
	screen_has a before
	bellhop peek ghost | grep -q unread
	bellhop history --json a | jq -e '.messages | any(.body == "before")'
	run -1 bellhop send --no-wait a "not now"
	[[ "$output" == *"nothing was stored: free"* ]]
	rm "$state/fill"
	[[ "$(bellhop inbox ghost)" == *unread* ]]
	bellhop history --json a | jq -e '.messages | any(.body == "before")'
	bellhop send --no-wait a "after"
	bellhop server stop --force
	umount "$state"
}

@test "names too long for a socket are told" {
	clean_env+=(BELLHOP_RUNTIME_DIR="$BATS_TEST_TMPDIR/$(printf 'x%.0s' {1..120})")
	run -1 bellhop list
	[[ "$output" == *long* ]]
	run -1 bellhop
	[[ "$output" == *long* ]]
}

@test "a session name that is a path is refused" {
	for name in ../x a/b . .. -x 'a b' ''; do
		run -2 bellhop -S "$name" list
		run -2 bellhop list -S "$name"
	done
	[ -z "$(ls -A "$runtime")" ]
}

@test "nonsense on the socket does not end the server" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	start_demo victim
	python3 "$BATS_TEST_DIRNAME/hostile.py" "$runtime/default/server.sock" \
		"${BELLHOP_TEST_SRCDIR:?run by make check}/doc/PROTOCOL.md" "$RANDOM" 5
	bellhop list
}

@test "connections that nobody uses keep nobody out" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	start_demo a
	python3 "$BATS_TEST_DIRNAME/crowd.py" "$runtime/default/server.sock" idle >"$BATS_TEST_TMPDIR/crowd" 3>&- &
	within 180 grep -q holds "$BATS_TEST_TMPDIR/crowd"
	bellhop list | grep -q idle
	[[ "$(agent_run a "$build/bellhop whoami")" == *a* ]]
	kill $!
}

@test "an agent that holds connections without end keeps itself out, and nobody else" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	start_demo a
	bellhop run --name hog --size 200x24 -- \
		python3 "$BATS_TEST_DIRNAME/crowd.py" "$runtime/default/server.sock" busy
	within 180 screen_has hog holds
	bellhop screen hog | grep -q 'refused: .* connections are of terminal .* end what holds them'
	bellhop list | grep -q idle
	[[ "$(agent_run a "$build/bellhop whoami")" == *a* ]]
}
