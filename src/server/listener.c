#include "src/server/listener.h"

#include "src/base/err.h"
#include "src/base/list.h"
#include "src/base/log.h"
#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Clients that the kernel keeps for us until we accept them.
#define LISTEN_BACKLOG 512
// Whoever removes the socket may be at it still (ms); and when making it again failed.
#define RENEW_MS 100
#define RENEW_AGAIN_MS 5000

// On the heap: the next one listens while the loop still has the last one's memory.
struct entrance {
	uv_pipe_t pipe;
	struct bh_listener *listener;
};

struct bh_listener {
	struct bh_listener_settings settings;
	char *folder;
	struct entrance *entrance;
	uv_fs_event_t watch;
	uv_timer_t renew;
	unsigned handles;
};

static void on_renew(uv_timer_t *timer);

static void on_pipe_closed(uv_handle_t *handle)
{
	free(bh_container_of(handle, struct entrance, pipe));
}

static void on_connection(uv_stream_t *pipe, int status)
{
	struct bh_listener *listener = bh_container_of(pipe, struct entrance, pipe)->listener;

	if (status == 0) {
		listener->settings.connected(listener->settings.user, (uv_pipe_t *)pipe);
	}
}

static void pipe_close(struct bh_listener *listener)
{
	if (listener->entrance != NULL) {
		uv_close((uv_handle_t *)&listener->entrance->pipe, on_pipe_closed);
		listener->entrance = NULL;
	}
}

static int pipe_open(struct bh_listener *listener, struct bh_err *err)
{
	const char *path = listener->settings.path;
	int code;

	// Before the next one is there: closing removes the file of that name.
	pipe_close(listener);
	listener->entrance = bh_xmalloc(sizeof(*listener->entrance));
	(void)uv_pipe_init(listener->settings.loop, &listener->entrance->pipe, 0); // never fails
	listener->entrance->listener = listener;
	// The keeper's lock says that no other server of this session lives, so a socket that is
	// there was left by one that died.
	(void)unlink(path);
	code = uv_pipe_bind(&listener->entrance->pipe, path);
	if (code == 0) {
		code = uv_listen((uv_stream_t *)&listener->entrance->pipe, LISTEN_BACKLOG,
		                 on_connection);
	}
	if (code != 0) {
		pipe_close(listener);
		return bh_err_sys(err, -code, "listen on %s", path);
	}
	return 0;
}

static void on_change(uv_fs_event_t *watch, const char *name, int events, int status)
{
	struct bh_listener *listener = bh_container_of(watch, struct bh_listener, watch);

	(void)name;
	(void)events;
	(void)status;
	if (access(listener->settings.path, F_OK) != 0 &&
	    !uv_is_active((uv_handle_t *)&listener->renew)) {
		(void)uv_timer_start(&listener->renew, on_renew, RENEW_MS, 0);
	}
}

static void folder_watch(struct bh_listener *listener)
{
	int code;

	(void)uv_fs_event_stop(&listener->watch); // never fails
	code = uv_fs_event_start(&listener->watch, on_change, listener->folder, 0);
	if (code != 0) {
		bh_log(BH_LOG_WARN, "server", "", "watch %s: %s", listener->folder,
		       uv_strerror(code));
	}
}

static void on_renew(uv_timer_t *timer)
{
	struct bh_listener *listener = bh_container_of(timer, struct bh_listener, renew);
	const struct bh_listener_settings *settings = &listener->settings;
	struct bh_err err = {0};

	if ((settings->lost != NULL && settings->lost(settings->user, &err) != 0) ||
	    pipe_open(listener, &err) != 0) {
		bh_log(BH_LOG_ERROR, "server", "", "the socket was removed: %s", err.text);
		(void)uv_timer_start(timer, on_renew, RENEW_AGAIN_MS, 0); // never fails here
		return;
	}
	folder_watch(listener);
	bh_log(BH_LOG_WARN, "server", "", "the socket was removed; it is there again");
}

static void handle_closed(struct bh_listener *listener)
{
	if (--listener->handles == 0) {
		listener->settings.closed(listener->settings.user);
		free(listener->folder);
		free(listener);
	}
}

static void on_watch_closed(uv_handle_t *handle)
{
	handle_closed(bh_container_of(handle, struct bh_listener, watch));
}

static void on_renew_closed(uv_handle_t *handle)
{
	handle_closed(bh_container_of(handle, struct bh_listener, renew));
}

int bh_listener_start(const struct bh_listener_settings *settings,
                      struct bh_listener **listener_out, struct bh_err *err)
{
	struct bh_listener *listener = bh_xmalloc(sizeof(*listener));
	const char *name = strrchr(settings->path, '/');
	int code;

	listener->settings = *settings;
	code = pipe_open(listener, err);
	if (code != 0) {
		free(listener);
		return code;
	}
	listener->folder =
		name == NULL ? bh_xstrdup(".")
			     : bh_xasprintf("%.*s", (int)(name - settings->path), settings->path);
	listener->handles = 2;
	(void)uv_fs_event_init(settings->loop, &listener->watch); // never fails
	(void)uv_timer_init(settings->loop, &listener->renew);    // never fails
	folder_watch(listener);
	*listener_out = listener;
	return 0;
}

void bh_listener_close(struct bh_listener *listener)
{
	pipe_close(listener);
	uv_close((uv_handle_t *)&listener->watch, on_watch_closed);
	uv_close((uv_handle_t *)&listener->renew, on_renew_closed);
}
