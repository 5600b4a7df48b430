#include "src/keeper/wire.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_message_goes_through(void **state)
{
	union bh_wire sent = {.as_SIGNAL = {.id = {1, 2, 3}, .signal = 15, .target = 2}};
	size_t len = bh_wire_prepare(&sent, BH_WIRE_SIGNAL, 77);
	union bh_wire got;

	(void)state;
	assert_int_equal(len, sizeof(struct bh_wire_signal));
	assert_int_equal(bh_wire_read(&sent, len, &got), 0);
	assert_int_equal(got.head.seq, 77);
	assert_int_equal(got.as_SIGNAL.signal, 15);
	assert_int_equal(got.as_SIGNAL.target, 2);
	assert_memory_equal(got.as_SIGNAL.id, sent.as_SIGNAL.id, 16);
}

static void a_longer_message_is_read_as_far_as_known(void **state)
{
	struct {
		struct bh_wire_forget known;
		uint8_t more[40];
	} longer = {.known = {.head = {.type = BH_WIRE_FORGET, .size = sizeof(longer), .seq = 5},
	                      .id = {9}}};
	union bh_wire got;

	(void)state;
	memset(longer.more, 0xee, sizeof(longer.more));
	assert_int_equal(bh_wire_read(&longer, sizeof(longer), &got), 0);
	assert_int_equal(got.as_FORGET.id[0], 9);
	// Nothing of the unknown part shows, whatever member it is looked at through.
	for (size_t i = sizeof(struct bh_wire_forget); i < sizeof(got); i++) {
		assert_int_equal(((const uint8_t *)&got)[i], 0);
	}
}

static void what_is_no_message_is_an_error(void **state)
{
	union bh_wire message = {.head = {0}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_FORGET, 1);
	struct bh_wire_head unknown = {.type = 999, .size = sizeof(unknown), .seq = 3};
	union bh_wire got;

	(void)state;
	assert_int_equal(bh_wire_read(&message, 0, &got), -EPROTO);
	assert_int_equal(bh_wire_read(&message, 7, &got), -EPROTO);
	assert_int_equal(bh_wire_read(&message, len - 1, &got), -EPROTO); // cut on the way
	message.head.size--;
	assert_int_equal(bh_wire_read(&message, len - 1, &got), -EPROTO); // shorter than version 1
	assert_int_equal(bh_wire_read(&unknown, sizeof(unknown), &got), -ENOSYS);
	assert_int_equal(got.head.seq, 3); // enough for an answer
}

static void texts_are_ended(void **state)
{
	union bh_wire message;
	union bh_wire got;
	size_t len;

	(void)state;
	memset(&message, 'x', sizeof(message));
	len = bh_wire_prepare(&message, BH_WIRE_COMPLAIN, 1);
	assert_int_equal(bh_wire_read(&message, len, &got), 0);
	assert_int_equal(strlen(got.as_COMPLAIN.text), BH_WIRE_TEXT - 1);
}

static void any_bytes_do_no_harm(void **state)
{
	int good = 0, bad = 0;

	(void)state;
	srandom(3);
	for (int i = 0; i < 200000; i++) {
		size_t len = (size_t)random() % (2 * BH_WIRE_MAX);
		uint8_t *packet = malloc(len == 0 ? 1 : len); // its end is watched by sanitizers
		struct bh_wire_head head = {.type = (uint16_t)(random() % 20),
		                            .size = (uint16_t)len};
		union bh_wire got;

		assert_non_null(packet);
		for (size_t at = 0; at < len; at++) {
			packet[at] = (uint8_t)random();
		}
		if (i % 4 != 0 && len >= sizeof(head)) {
			memcpy(packet, &head, sizeof(head));
		}
		if (bh_wire_read(packet, len, &got) == 0) {
			good++;
		} else {
			bad++;
		}
		free(packet);
	}
	assert_true(good > 1000);
	assert_true(bad > 1000);
}

static void stages_have_words(void **state)
{
	(void)state;
	assert_string_equal(bh_wire_stage_words(BH_WIRE_STAGE_EXEC), "run the program");
	assert_string_equal(bh_wire_stage_words(4711), "unknown step");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_goes_through),
		cmocka_unit_test(a_longer_message_is_read_as_far_as_known),
		cmocka_unit_test(what_is_no_message_is_an_error),
		cmocka_unit_test(texts_are_ended),
		cmocka_unit_test(any_bytes_do_no_harm),
		cmocka_unit_test(stages_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
