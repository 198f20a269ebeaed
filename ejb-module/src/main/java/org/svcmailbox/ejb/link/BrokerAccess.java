package org.svcmailbox.ejb.link;

import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.impl.ServerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Where the broker is and how to log in.
 *
 * @param locator the connectors and timeouts; they are copied, and the locator itself is not used
 * @param login called at each connection
 * @param inProcess supplies this process's broker, which need not be the one that the locator leads
 *     to; null when there is none
 * @param state shared by all connections
 * @param renewal run before each connection; rereads the files that are part of {@code locator}
 */
public record BrokerAccess(
    ServerLocator locator,
    Supplier<Login> login,
    Supplier<? extends @Nullable ActiveMQServer> inProcess,
    BrokerState state,
    Runnable renewal) {

  /** User and password of a session; without a user where the broker asks for none. */
  public record Login(@Nullable String user, @Nullable String password) {
    static final Login NONE = new Login(null, null);

    @Override
    public String toString() {
      return "Login[" + user + "]";
    }
  }

  /** Access that rereads no files, except what {@code login} reads. */
  public BrokerAccess(
      ServerLocator locator,
      Supplier<Login> login,
      Supplier<? extends @Nullable ActiveMQServer> inProcess,
      BrokerState state) {
    this(locator, login, inProcess, state, () -> {});
  }

  /** Access to a broker that asks for no login, such as one in the same process. */
  public BrokerAccess(
      ServerLocator locator, Supplier<? extends @Nullable ActiveMQServer> inProcess) {
    this(locator, () -> Login.NONE, inProcess, new BrokerState());
  }

  /** The same, with the broker that Artemis registered in this process. */
  public static BrokerAccess of(ServerLocator locator) {
    return new BrokerAccess(locator, BrokerAccess::started);
  }

  /** The first broker that was started in this process. */
  private static @Nullable ActiveMQServer started() {
    return ServerStatus.getServer();
  }
}
