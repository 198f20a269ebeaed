package org.svcmailbox.it.server;

import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.svcmailbox.it.client.MailboxClient;

/**
 * Gives tests the one server that all of them share, as a {@link MailboxServer} or as a {@link
 * MailboxClient} of it. It starts with the first test that asks and ends after the last test of
 * all; who kills or configures a server starts one of their own.
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
    // JUnit closes what the root context's store holds when the whole run is over.
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            MailboxServer.class,
            type -> MailboxServer.start("shared", Map.of()),
            MailboxServer.class);
  }
}
