package org.svcmailbox.it.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.test.process.PostgresServer;

/**
 * Gives tests a server that they share, as a {@link MailboxServer} or as a {@link MailboxClient} of
 * it: one for each distinct set of {@link ServerSettings}, and one for all classes without. It
 * starts with the first test that asks and ends after the last test of all. A test that kills its
 * server starts one of its own. The database is the embedded one, or the one that the system
 * property {@code mailbox.database} names; {@code mailbox.server} names the {@link Layout}.
 *
 * <p>With {@code mailbox.uri} no server starts: tests call the one that runs there, as the operator
 * whose capability is in the file {@code mailbox.operator}. A test that needs more of a server than
 * a client fails and says so.
 */
public final class SharedServer implements ParameterResolver {
  /** The broker looks for messages that expired every second, instead of every thirty. */
  private static final String OFTEN = "-Dbrokerconfig.messageExpiryScanPeriod=1000";

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SharedServer.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == MailboxServer.class || type == MailboxClient.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    boolean clientIsEnough = parameter.getParameter().getType() == MailboxClient.class;
    String running = System.getProperty("mailbox.uri");
    if (running != null) {
      if (!clientIsEnough) {
        throw new ParameterResolutionException("needs more than a client of " + running);
      }
      Path operator = Path.of(System.getProperty("mailbox.operator"));
      return new MailboxClient(CallTarget.asOperator(URI.create(running), operator));
    }
    MailboxServer server = shared(context);
    return clientIsEnough ? new MailboxClient(server.target()) : server;
  }

  private static MailboxServer shared(ExtensionContext context) {
    // JUnit closes what the root context's store holds when the whole run is over, last one first.
    ExtensionContext.Store store = context.getRoot().getStore(NAMESPACE);
    Map<String, String> declared = declared(context);
    return store.getOrComputeIfAbsent(
        declared,
        key -> MailboxServer.start("shared", settings(declared, store)),
        MailboxServer.class);
  }

  private static Map<String, String> declared(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getRequiredTestClass(), ServerSettings.class)
        .map(settings -> Stream.of(settings.value()))
        .orElseGet(Stream::empty)
        .map(setting -> setting.split("=", 2))
        .collect(Collectors.toUnmodifiableMap(setting -> setting[0], setting -> setting[1]));
  }

  /**
   * Every test makes topics of its own, and some look for theirs in the metrics. No part is off
   * that the server has.
   */
  private static Map<String, String> settings(
      Map<String, String> declared, ExtensionContext.Store store) {
    Map<String, String> settings = new HashMap<>(database(store));
    settings.put("MAILBOX_METRICS_TOPICS", "1000");
    settings.put("MAILBOX_GRPC_ENABLED", "true");
    Layout layout = Layout.chosen();
    settings.put("MAILBOX_RENDEZVOUS_ENABLED", Boolean.toString(layout == Layout.WILDFLY));
    settings.put(layout.brokerOptions(), MailboxServer.FAST_START + " " + OFTEN);
    settings.putAll(declared);
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
