#include "src/base/uuid.h"

#include "src/base/err.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

static const char hex_digits[] = "0123456789abcdef";

void bh_uuid_random(void *out, size_t len)
{
	char *at = out;

	while (len > 0) {
		ssize_t got = getrandom(at, len, 0);

		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got <= 0) {
			BH_BUG("the kernel gives no random bytes");
		}
		at += got;
		len -= (size_t)got;
	}
}

static void uuid_mark(struct bh_uuid *uuid, uint8_t version)
{
	uuid->bytes[6] = (uint8_t)((uuid->bytes[6] & 0x0f) | (version << 4));
	uuid->bytes[8] = (uint8_t)((uuid->bytes[8] & 0x3f) | 0x80);
}

struct bh_uuid bh_uuid_new(void)
{
	struct bh_uuid uuid;

	bh_uuid_random(uuid.bytes, sizeof(uuid.bytes));
	uuid_mark(&uuid, 4);
	return uuid;
}

struct bh_uuid bh_uuid_new_ordered(int64_t wall_ms)
{
	struct bh_uuid uuid;

	bh_uuid_random(uuid.bytes, sizeof(uuid.bytes));
	for (int i = 0; i < 6; i++) {
		uuid.bytes[i] = (uint8_t)((uint64_t)wall_ms >> (40 - 8 * i));
	}
	uuid_mark(&uuid, 7);
	return uuid;
}

static bool is_dash_before(size_t byte)
{
	return byte == 4 || byte == 6 || byte == 8 || byte == 10;
}

const char *bh_uuid_format(const struct bh_uuid *uuid, char out[BH_UUID_TEXT])
{
	char *at = out;

	for (size_t i = 0; i < sizeof(uuid->bytes); i++) {
		if (is_dash_before(i)) {
			*at++ = '-';
		}
		*at++ = hex_digits[uuid->bytes[i] >> 4];
		*at++ = hex_digits[uuid->bytes[i] & 0x0f];
	}
	*at = '\0';
	return out;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	if (c >= 'a' && c <= 'f') {
		return c - 'a' + 10;
	}
	if (c >= 'A' && c <= 'F') {
		return c - 'A' + 10;
	}
	return -1;
}

bool bh_uuid_parse(const char *text, struct bh_uuid *out)
{
	struct bh_uuid uuid;

	for (size_t i = 0; i < sizeof(uuid.bytes); i++) {
		int high, low;

		if (is_dash_before(i) && *text++ != '-') {
			return false;
		}
		high = hex_value(text[0]);
		low = high < 0 ? -1 : hex_value(text[1]);
		if (low < 0) {
			return false;
		}
		uuid.bytes[i] = (uint8_t)(high << 4 | low);
		text += 2;
	}
	if (*text != '\0') {
		return false;
	}
	*out = uuid;
	return true;
}

bool bh_uuid_is_equal(const struct bh_uuid *a, const struct bh_uuid *b)
{
	return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

bool bh_uuid_is_none(const struct bh_uuid *uuid)
{
	const struct bh_uuid none = {0};

	return bh_uuid_is_equal(uuid, &none);
}

bool bh_uuid_has_prefix(const struct bh_uuid *uuid, const char *text)
{
	bool has_dashes = strchr(text, '-') != NULL;
	char full[BH_UUID_TEXT];
	const char *at = full;
	size_t digits = 0;

	(void)bh_uuid_format(uuid, full);
	for (; *text != '\0'; text++, at++) {
		int value = hex_value(*text);

		if (*at == '-' && !has_dashes) {
			at++;
		}
		if (*at == '-' ? *text != '-' : value < 0 || hex_digits[value] != *at) {
			return false; // also the end of the full text
		}
		digits += value >= 0;
	}
	return digits >= BH_UUID_PREFIX_MIN;
}
