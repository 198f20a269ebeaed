package org.svcmailbox.it.console;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.svcmailbox.it.server.ServerSettings;

/** A server on which a sign-in soon is too long ago to elevate, and with few sessions. */
@ServerSettings({
  "MAILBOX_CONSOLE_CONFIRMED_FOR=" + StepUpServer.CONFIRMED_SECONDS + "s",
  "MAILBOX_CONSOLE_MAX_SESSIONS=" + StepUpServer.SESSIONS
})
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface StepUpServer {
  int CONFIRMED_SECONDS = 5;
  int SESSIONS = 6;
}
