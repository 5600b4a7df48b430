// Rooms: who is in which. Mail to them goes by message.send like any other.
#include "src/server/method_mail.h"

#include "src/base/words.h"
#include "src/mail/store_room.h"
#include "src/server/mail_caller.h"
#include "src/server/server.h"

/** A list of members as the protocol has it. */
static cJSON *members_json(const struct bh_answer *answer)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < answer->room_count; i++) {
		cJSON *member = cJSON_CreateObject();

		cJSON_AddStringToObject(member, "name", answer->rooms[i].member);
		cJSON_AddNumberToObject(member, "joined_at", (double)answer->rooms[i].joined_ms);
		cJSON_AddItemToArray(array, member);
	}
	return array;
}

static void on_members(void *user, const struct bh_answer *answer)
{
	struct bh_request *request = user;
	cJSON *result;

	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	result = cJSON_CreateObject();
	cJSON_AddStringToObject(result, "room", answer->name);
	cJSON_AddItemToObject(result, "members", members_json(answer));
	bh_request_answer(request, result);
}

/** Answer a change of membership; @word says whether it changed anything. */
static void answer_change(struct bh_request *request, const struct bh_answer *answer,
                          const char *word)
{
	cJSON *result;

	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	result = cJSON_CreateObject();
	cJSON_AddStringToObject(result, "room", answer->name);
	cJSON_AddBoolToObject(result, word, !answer->is_replay);
	bh_request_answer(request, result);
}

static void on_joined(void *user, const struct bh_answer *answer)
{
	answer_change(user, answer, "joined");
}

static void on_left(void *user, const struct bh_answer *answer)
{
	answer_change(user, answer, "left");
}

static void on_rooms(void *user, const struct bh_answer *answer)
{
	struct bh_request *request = user;
	cJSON *result;
	cJSON *array;

	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	result = cJSON_CreateObject();
	array = cJSON_AddArrayToObject(result, "rooms");
	for (size_t i = 0; i < answer->room_count; i++) {
		const struct bh_room *row = &answer->rooms[i];
		cJSON *room = cJSON_CreateObject();

		cJSON_AddStringToObject(room, "room", row->name);
		cJSON_AddNumberToObject(room, "members", row->members);
		cJSON_AddBoolToObject(room, "is_member", row->is_member);
		cJSON_AddNumberToObject(room, "last_seq", (double)row->last_seq);
		cJSON_AddItemToArray(array, room);
	}
	cJSON_AddBoolToObject(result, "more", answer->has_more);
	bh_request_answer(request, result);
}

/** Read room and name; false: the request was failed. For a person `name` chooses who it is about. */
static bool membership_read(struct bh_request *request, struct bh_mail_caller *caller,
                            struct bh_membership *membership)
{
	const char *name = NULL;

	membership->room = bh_request_string(request, "room");
	if (membership->room == NULL || !bh_mail_caller_of(request, caller) ||
	    !bh_request_optional_string(request, "name", &name)) {
		return false;
	}
	membership->names = caller->names;
	membership->name_count = caller->name_count;
	membership->as = name != NULL ? caller->names[0] : caller->name;
	return true;
}

void bh_method_room_join(struct bh_request *request)
{
	struct bh_mail_caller caller;
	struct bh_membership membership = {0};
	struct bh_err err = {0};

	if (membership_read(request, &caller, &membership) &&
	    bh_store_join(bh_request_server(request)->store, &membership, on_joined, request,
	                  &err) != 0) {
		bh_mail_fail(request, &err, "invalid");
	}
}

void bh_method_room_leave(struct bh_request *request)
{
	struct bh_mail_caller caller;
	struct bh_membership membership = {0};
	struct bh_err err = {0};

	if (!membership_read(request, &caller, &membership)) {
		return;
	}
	membership.as = NULL; // under whatever name it came
	if (bh_store_leave(bh_request_server(request)->store, &membership, on_left, request,
	                   &err) != 0) {
		bh_mail_fail(request, &err, "invalid");
	}
}

/** List rooms, or with @room its members. */
static void rooms_query(struct bh_request *request, const char *room, bh_store_done *done)
{
	struct bh_mail_caller caller;
	struct bh_room_query query = {.room = room};
	struct bh_err err = {0};

	if (!bh_mail_caller_self(request, &caller)) {
		return;
	}
	query.names = caller.names;
	query.name_count = caller.name_count;
	if (bh_store_rooms(bh_request_server(request)->store, &query, done, request, &err) != 0) {
		bh_mail_fail(request, &err, "invalid");
	}
}

void bh_method_room_list(struct bh_request *request)
{
	rooms_query(request, NULL, on_rooms);
}

void bh_method_room_members(struct bh_request *request)
{
	const char *room = bh_request_string(request, "room");

	if (room != NULL) {
		rooms_query(request, room, on_members);
	}
}

static void on_wake_members(void *user, const struct bh_answer *answer)
{
	struct bh_request *request = user;
	int worst = answer->room_count > 0 ? BH_TIER_GUARANTEED : BH_TIER_NONE;
	const char *reason = "";
	cJSON *result;
	cJSON *members;

	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	members = cJSON_CreateArray();
	for (size_t i = 0; i < answer->room_count; i++) {
		cJSON *member =
			bh_method_mail_wake(bh_request_server(request), answer->rooms[i].member);
		const cJSON *why = cJSON_GetObjectItemCaseSensitive(member, "reason");
		int tier =
			bh_word_find(BH_WORDS_TIER,
		                     cJSON_GetObjectItemCaseSensitive(member, "tier")->valuestring);

		if (cJSON_IsString(why) && (tier < worst || reason[0] == '\0')) {
			reason = why->valuestring; // lives as long as the member
		}
		worst = tier < worst ? tier : worst;
		cJSON_AddItemToArray(members, member);
	}
	result = cJSON_CreateObject();
	cJSON_AddStringToObject(result, "name", answer->name);
	cJSON_AddStringToObject(result, "tier", bh_word(BH_WORDS_TIER, worst));
	cJSON_AddStringToObject(result, "now", reason[0] == '\0' ? "free" : "blocked");
	if (reason[0] != '\0') {
		cJSON_AddStringToObject(result, "reason", reason);
	} else {
		cJSON_AddNullToObject(result, "reason");
	}
	cJSON_AddArrayToObject(result, "conditions");
	cJSON_AddStringToObject(result, "by", bh_word(BH_WORDS_PATH, BH_PATH_ROOM));
	cJSON_AddNullToObject(result, "last_proof");
	cJSON_AddNullToObject(result, "proved_at");
	cJSON_AddItemToObject(result, "members", members);
	bh_request_answer(request, result);
}

void bh_method_room_wake(struct bh_request *request, const char *room)
{
	rooms_query(request, room, on_wake_members);
}
