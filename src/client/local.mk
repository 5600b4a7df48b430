noinst_LIBRARIES += libclient.a
libclient_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libclient_a_SOURCES =
CLIENT_LIBS = libclient.a $(BASE_LIBS)
