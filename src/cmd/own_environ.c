#include "src/cmd/own_environ.h"

#include "src/base/mem.h"
#include "src/base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cJSON *bh_own_environ_new(void)
{
	cJSON *object = cJSON_CreateObject();

	for (char **at = environ; *at != NULL; at++) {
		const char *equals = strchr(*at, '=');

		if (equals != NULL && equals != *at && bh_utf8_is_valid(*at, strlen(*at))) {
			char *name = bh_xmemdup(*at, (size_t)(equals - *at));

			if (cJSON_GetObjectItemCaseSensitive(object, name) == NULL) {
				(void)cJSON_AddStringToObject(object, name, equals + 1);
			}
			free(name);
		}
	}
	return object;
}
