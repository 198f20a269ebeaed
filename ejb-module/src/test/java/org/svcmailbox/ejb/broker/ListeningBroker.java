package org.svcmailbox.ejb.broker;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.broker.NameJournalFiles;
import org.svcmailbox.broker.RefuseBrokers;
import org.svcmailbox.broker.RefuseLateAcknowledgements;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerAccess.Login;
import org.svcmailbox.ejb.link.BrokerState;

/**
 * A broker that listens on a port and asks for a password. Its settings are those that the service
 * demands of a broker in another process, except for what a test changes.
 */
final class ListeningBroker implements AutoCloseable {
  static final String USER = "service";
  static final String PASSWORD = "secret";

  private static final String LOOPBACK = InetAddress.getLoopbackAddress().getHostAddress();

  private final EmbeddedActiveMQ server = new EmbeddedActiveMQ();
  private final AtomicBoolean managed = new AtomicBoolean(true);

  /** One user who may do everything, and guests where there are any. */
  private record Users(boolean guests, AtomicBoolean managed) implements ActiveMQSecurityManager {
    @Override
    public boolean validateUser(@Nullable String user, @Nullable String password) {
      return user == null ? guests : user.equals(USER) && PASSWORD.equals(password);
    }

    @Override
    public boolean validateUserAndRole(
        @Nullable String user, @Nullable String password, Set<Role> roles, CheckType check) {
      return validateUser(user, password) && (check != CheckType.MANAGE || managed.get());
    }
  }

  /**
   * Starts one.
   *
   * @param guests whether it lets in those without a name
   * @param change of its configuration
   */
  ListeningBroker(Path directory, boolean guests, Consumer<Configuration> change) {
    Map<String, Object> params = new HashMap<>();
    params.put("host", LOOPBACK);
    params.put("port", 0);
    params.put("protocols", "CORE");
    AddressSettings any =
        new AddressSettings()
            .setAutoCreateAddresses(false)
            .setAutoCreateQueues(false)
            .setAutoDeleteAddresses(false)
            .setAutoDeleteQueues(false);
    try {
      Configuration configuration =
          new ConfigurationImpl()
              .setSecurityEnabled(true)
              .setClusterPassword("not the default")
              .setJMXManagementEnabled(false)
              .setJournalType(JournalType.NIO)
              .setJournalFileSize(1024 * 1024)
              .setJournalMinFiles(2)
              .setPersistDeliveryCountBeforeDelivery(true)
              .setMaxDiskUsage(100)
              .setConnectionTTLOverride(4_000)
              .setJournalDirectory(directory.resolve("journal").toString())
              .setBindingsDirectory(directory.resolve("bindings").toString())
              .setLargeMessagesDirectory(directory.resolve("large").toString())
              .setPagingDirectory(directory.resolve("paging").toString())
              .addAddressSetting("#", any)
              .addAddressSetting("mailbox.#", EmbeddedArtemis.settings())
              .addAddressSetting("mailbox.log.#", EmbeddedArtemis.logSettings())
              .addAddressSetting("mailbox.dlq.#", EmbeddedArtemis.letterSettings())
              .addQueueConfiguration(
                  QueueConfiguration.of(QueueNames.UNDELIVERABLE)
                      .setAddress(QueueNames.UNDELIVERABLE)
                      .setAutoCreateAddress(true)
                      .setRoutingType(RoutingType.ANYCAST));
      configuration.setAcceptorConfigurations(
          new HashSet<>(
              Set.of(
                  new TransportConfiguration(
                      "org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptorFactory",
                      params,
                      "core"))));
      configuration.registerBrokerPlugin(new RefuseLateAcknowledgements());
      configuration.registerBrokerPlugin(new NameJournalFiles());
      configuration.registerBrokerPlugin(new RefuseBrokers());
      change.accept(configuration);
      server.setSecurityManager(new Users(guests, managed));
      server.setConfiguration(configuration);
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("the broker does not start", e);
    }
  }

  /** Where a service in another process would find it. */
  ServerLocator locator() {
    NettyAcceptor acceptor =
        (NettyAcceptor) server.getActiveMQServer().getRemotingService().getAcceptor("core");
    return ActiveMQClient.createServerLocatorWithoutHA(
            new TransportConfiguration(
                NettyConnectorFactory.class.getName(),
                Map.of("host", LOOPBACK, "port", acceptor.getActualPort())))
        .setClientFailureCheckPeriod(500);
  }

  /** The way of a service in another process. */
  BrokerAccess access() {
    return new BrokerAccess(
        locator(), () -> new Login(USER, PASSWORD), () -> null, new BrokerState());
  }

  /** Lets nobody ask its management from now on who has not asked before. */
  void refuseManagement() {
    managed.set(false);
  }

  /** How many sessions it has. */
  int sessions() {
    return server.getActiveMQServer().getSessions().size();
  }

  /** How often it has refused somebody. */
  long refusals() {
    return server.getActiveMQServer().getSecurityStore().getAuthenticationFailureCount();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the broker does not stop", e);
    }
  }
}
