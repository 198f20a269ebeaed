package org.svcmailbox.ejb.delivery;

import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.jspecify.annotations.Nullable;

/**
 * Where the broker is and who asks.
 *
 * @param locator where; what it says about connectors and timeouts is used, it itself is not
 * @param user null where the broker asks for none
 */
public record BrokerAccess(
    ServerLocator locator, @Nullable String user, @Nullable String password) {

  /** Access to a broker that asks for no name, as one in the same process does. */
  public static BrokerAccess of(ServerLocator locator) {
    return new BrokerAccess(locator, null, null);
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "BrokerAccess[locator=" + locator + ", user=" + user + "]";
  }
}
