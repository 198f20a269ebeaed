package org.svcmailbox.it.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.svcmailbox.client.Mailbox;

/**
 * A mailbox whose receives wait a little where they were not to wait, so that a stream serves them.
 */
final class WaitingMailbox {
  private static final Duration LITTLE = Duration.ofMillis(400);

  private WaitingMailbox() {}

  @SuppressWarnings("unchecked") // The wrapped mailbox has it.
  static Mailbox<String, String> of(Mailbox<String, String> mailbox) {
    return (Mailbox<String, String>)
        Proxy.newProxyInstance(
            WaitingMailbox.class.getClassLoader(),
            new Class<?>[] {Mailbox.class},
            (proxy, method, arguments) -> {
              boolean isReceive = method.getName().equals("receive") && arguments != null;
              if (isReceive && arguments.length == 3 && Duration.ZERO.equals(arguments[2])) {
                arguments[2] = LITTLE;
              }
              try {
                return method.invoke(mailbox, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
