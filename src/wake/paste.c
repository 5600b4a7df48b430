#include "src/wake/paste.h"

#include <stdlib.h>

#include "term/strip.h"

#define PASTE_START "\033[200~"
#define PASTE_END "\033[201~"

void bh_paste_text(struct bh_buf *out, const char *text, size_t len)
{
	size_t safe_len = 0;
	char *safe = bh_strip_message(text, len, &safe_len);

	bh_buf_puts(out, PASTE_START);
	bh_buf_append(out, safe, safe_len);
	bh_buf_puts(out, PASTE_END);
	free(safe);
}

const char *bh_paste_end(void)
{
	return PASTE_END;
}
