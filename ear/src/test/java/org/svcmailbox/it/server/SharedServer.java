package org.svcmailbox.it.server;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.test.process.PostgresServer;

/**
 * Gives tests the one server that all of them share, as a {@link MailboxServer} or as a {@link
 * MailboxClient} of it. It starts with the first test that asks and ends after the last test of
 * all; who kills or configures a server starts one of their own. Its database is the embedded one,
 * or the one that the system property {@code mailbox.database} names.
 */
public final class SharedServer implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SharedServer.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == MailboxServer.class || type == MailboxClient.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    MailboxServer server = shared(context);
    return parameter.getParameter().getType() == MailboxServer.class
        ? server
        : new MailboxClient(server.target());
  }

  private static MailboxServer shared(ExtensionContext context) {
    // JUnit closes what the root context's store holds when the whole run is over, last one first.
    ExtensionContext.Store store = context.getRoot().getStore(NAMESPACE);
    return store.getOrComputeIfAbsent(
        MailboxServer.class,
        type -> MailboxServer.start("shared", settings(store)),
        MailboxServer.class);
  }

  /** Every test makes topics of its own, and some look for theirs in the metrics. */
  private static Map<String, String> settings(ExtensionContext.Store store) {
    Map<String, String> settings = new HashMap<>(database(store));
    settings.put("MAILBOX_METRICS_TOPICS", "1000");
    return settings;
  }

  private static Map<String, String> database(ExtensionContext.Store store) {
    return switch (System.getProperty("mailbox.database", "sqlite")) {
      case "sqlite" -> Map.of();
      case "postgresql" ->
          store
              .getOrComputeIfAbsent(
                  PostgresServer.class, type -> PostgresServer.start(), PostgresServer.class)
              .settings();
      default -> throw new IllegalStateException("mailbox.database is sqlite or postgresql");
    };
  }
}
