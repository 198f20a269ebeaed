package org.svcmailbox.it.console;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.svcmailbox.it.server.ServerSettings;

/** A server on which a sign-in soon is too long ago to elevate. */
@ServerSettings("MAILBOX_CONSOLE_CONFIRMED_FOR=" + StepUpServer.CONFIRMED_SECONDS + "s")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface StepUpServer {
  int CONFIRMED_SECONDS = 5;
}
