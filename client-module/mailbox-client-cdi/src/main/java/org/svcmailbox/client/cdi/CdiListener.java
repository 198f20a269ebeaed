package org.svcmailbox.client.cdi;

import jakarta.enterprise.inject.spi.Bean;
import java.lang.reflect.Method;
import org.svcmailbox.client.listener.ListenerSignature;
import org.svcmailbox.client.listener.MailboxPoint;

/**
 * A method that handles the messages of a mailbox.
 *
 * @param bean whose method it is
 */
record CdiListener(String mailbox, Bean<?> bean, Method method, ListenerSignature signature) {
  MailboxPoint point() {
    return new MailboxPoint(mailbox, signature.body(), signature.reply());
  }

  @Override
  public String toString() {
    return name(method);
  }

  /** A method's name in messages. */
  static String name(Method method) {
    return method.getDeclaringClass().getName() + "." + method.getName();
  }
}
