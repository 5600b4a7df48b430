noinst_LIBRARIES += libbridge.a
libbridge_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libbridge_a_SOURCES =
BRIDGE_LIBS = libbridge.a $(CLIENT_LIBS)
