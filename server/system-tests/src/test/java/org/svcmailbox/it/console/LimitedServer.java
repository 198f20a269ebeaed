package org.svcmailbox.it.console;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.svcmailbox.it.server.ServerSettings;

/** A server with low limits of console sessions and event streams. */
@ServerSettings({
  "MAILBOX_CONSOLE_SESSION_IDLE=" + LimitedServer.IDLE_SECONDS + "s",
  "MAILBOX_CONSOLE_MAX_SESSIONS=" + LimitedServer.SESSIONS,
  "MAILBOX_EVENTS_MAX_STREAMS=" + LimitedServer.STREAMS
})
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface LimitedServer {
  int IDLE_SECONDS = 20;
  int SESSIONS = 3;
  int STREAMS = 3;
}
