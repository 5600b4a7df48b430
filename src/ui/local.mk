noinst_LIBRARIES += libui.a
libui_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS)
libui_a_SOURCES =
UI_LIBS = libui.a $(CLIENT_LIBS) $(TERM_LIBS)
