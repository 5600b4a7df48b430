noinst_LIBRARIES += libwake.a
libwake_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
libwake_a_SOURCES =
WAKE_LIBS = libwake.a $(AGENT_LIBS) $(MAIL_LIBS)
