noinst_LIBRARIES += libserver.a
libserver_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libserver_a_SOURCES =
SERVER_LIBS = libserver.a $(WAKE_LIBS)
