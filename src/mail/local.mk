noinst_LIBRARIES += libmail.a
libmail_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS) $(SQLITE_CFLAGS)
libmail_a_SOURCES =
MAIL_LIBS = libmail.a $(SQLITE_LIBS) $(BASE_LIBS)
