package org.svcmailbox.ejb.link;

import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.impl.ServerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Where the broker is and who asks.
 *
 * @param locator where; what it says about connectors and timeouts is used, it itself is not
 * @param user null where the broker asks for none
 * @param inProcess the broker that runs in this process, which need not be the one that the locator
 *     leads to; null when there is none
 */
public record BrokerAccess(
    ServerLocator locator,
    @Nullable String user,
    @Nullable String password,
    Supplier<? extends @Nullable ActiveMQServer> inProcess) {

  /** Access to a broker that asks for no name, as one in the same process does. */
  public static BrokerAccess of(ServerLocator locator) {
    return new BrokerAccess(locator, null, null, BrokerAccess::started);
  }

  /** The first broker that was started in this process: Artemis itself remembers it. */
  private static @Nullable ActiveMQServer started() {
    return ServerStatus.getServer();
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "BrokerAccess[locator=" + locator + ", user=" + user + "]";
  }
}
