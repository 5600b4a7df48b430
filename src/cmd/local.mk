noinst_LIBRARIES += libcmd.a
libcmd_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libcmd_a_SOURCES =
CMD_LIBS = libcmd.a $(UI_LIBS) $(BRIDGE_LIBS) $(SERVER_LIBS)
