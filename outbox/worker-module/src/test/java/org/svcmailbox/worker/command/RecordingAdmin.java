package org.svcmailbox.worker.command;

import java.lang.reflect.Proxy;
import java.util.function.ToIntFunction;
import org.svcmailbox.outbox.admin.OutboxAdmin;

/** An administration that retries as a test says, and can do nothing else. */
final class RecordingAdmin {
  private RecordingAdmin() {}

  static OutboxAdmin retrying(ToIntFunction<OutboxAdmin.Filter> retry) {
    return (OutboxAdmin)
        Proxy.newProxyInstance(
            OutboxAdmin.class.getClassLoader(),
            new Class<?>[] {OutboxAdmin.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("retry")
                  && arguments[0] instanceof OutboxAdmin.Filter filter) {
                return retry.applyAsInt(filter);
              }
              throw new AssertionError(method);
            });
  }
}
