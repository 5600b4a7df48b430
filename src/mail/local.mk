noinst_LIBRARIES += libmail.a
libmail_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS) $(UV_CFLAGS) $(SQLITE_CFLAGS)
libmail_a_SOURCES = \
	%D%/claim.h \
	%D%/identity.h \
	%D%/mailbox.h \
	%D%/message.h \
	%D%/notice.h \
	%D%/receipt.h \
	%D%/request.h \
	%D%/store.h \
	%D%/terminal_record.h
MAIL_LIBS = libmail.a $(SQLITE_LIBS) $(BASE_LIBS)
