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
 * @param login asked at each connection
 * @param inProcess the broker that runs in this process, which need not be the one that the locator
 *     leads to; null when there is none
 * @param state what all connections together are told of
 * @param renewal run before each connection; reads again what is in files and part of {@code
 *     locator}
 */
public record BrokerAccess(
    ServerLocator locator,
    Supplier<Login> login,
    Supplier<? extends @Nullable ActiveMQServer> inProcess,
    BrokerState state,
    Runnable renewal) {

  /** The name that a session is opened under; without a user where the broker asks for none. */
  public record Login(@Nullable String user, @Nullable String password) {
    static final Login NONE = new Login(null, null);

    @Override
    public String toString() {
      return "Login[" + user + "]";
    }
  }

  /** Access with nothing in files but what {@code login} reads. */
  public BrokerAccess(
      ServerLocator locator,
      Supplier<Login> login,
      Supplier<? extends @Nullable ActiveMQServer> inProcess,
      BrokerState state) {
    this(locator, login, inProcess, state, () -> {});
  }

  /** Access to a broker that asks for no name, as one in the same process does. */
  public BrokerAccess(
      ServerLocator locator, Supplier<? extends @Nullable ActiveMQServer> inProcess) {
    this(locator, () -> Login.NONE, inProcess, new BrokerState());
  }

  /** The same, where the broker of this process is the one that Artemis itself remembers. */
  public static BrokerAccess of(ServerLocator locator) {
    return new BrokerAccess(locator, BrokerAccess::started);
  }

  /** The first broker that was started in this process. */
  private static @Nullable ActiveMQServer started() {
    return ServerStatus.getServer();
  }
}
