package org.svcmailbox.it.console;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.svcmailbox.it.server.ServerSettings;

/** The server whose console has room for few: of sessions, and of those who look on. */
@ServerSettings({
  "MAILBOX_CONSOLE_SESSION_IDLE=20s",
  "MAILBOX_CONSOLE_MAX_SESSIONS=" + LimitedServer.SESSIONS,
  "MAILBOX_EVENTS_MAX_STREAMS=" + LimitedServer.STREAMS
})
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface LimitedServer {
  /** As in the settings. */
  int SESSIONS = 3;

  int STREAMS = 3;
}
