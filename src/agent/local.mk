noinst_LIBRARIES += libagent.a
libagent_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(PCRE2_CFLAGS)
libagent_a_SOURCES =
AGENT_LIBS = libagent.a $(PCRE2_LIBS) $(TERM_LIBS) $(BASE_LIBS)
