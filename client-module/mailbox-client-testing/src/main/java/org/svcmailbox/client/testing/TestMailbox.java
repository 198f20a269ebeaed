package org.svcmailbox.client.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the mailbox that {@link MailboxExtension} injects into a parameter. */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface TestMailbox {
  /** The mailbox's name. Parameters of one test with the same name get the same mailbox. */
  String value();
}
