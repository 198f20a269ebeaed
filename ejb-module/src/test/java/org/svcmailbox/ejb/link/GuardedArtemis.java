package org.svcmailbox.ejb.link;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.test.net.TestCertificate;

/** A broker with a user, which listens on the loopback interface only and keeps nothing. */
final class GuardedArtemis implements AutoCloseable {
  static final String USER = "mailbox";
  static final String PASSWORD = "canary-1";

  private static final String ACCEPTOR = "guarded";

  private final EmbeddedActiveMQ server = new EmbeddedActiveMQ();
  private final int port;

  /**
   * @param port 0 for any
   * @param tls options of the acceptor beside its port
   */
  GuardedArtemis(int port, String tls) throws Exception {
    SecurityConfiguration security = new SecurityConfiguration();
    security.addUser(USER, PASSWORD);
    security.addRole(USER, USER);
    server.setSecurityManager(
        new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), security));
    server.setConfiguration(configuration(port, tls));
    server.start();
    this.port =
        ((NettyAcceptor) broker().getRemotingService().getAcceptor(ACCEPTOR)).getActualPort();
  }

  private static Configuration configuration(int port, String tls) throws Exception {
    return new ConfigurationImpl()
        .setPersistenceEnabled(false)
        .setSecurityEnabled(true)
        .setSecurityInvalidationInterval(0)
        .setJMXManagementEnabled(false)
        .addAcceptorConfiguration(ACCEPTOR, "tcp://127.0.0.1:" + port + "?" + tls)
        .putSecurityRoles("#", Set.of(rights(true)));
  }

  private static Role rights(boolean create) {
    return new Role(USER, true, true, create, true, true, true, true, true, true, true, true, true);
  }

  /** Lets the user create durable queues, or no longer. */
  void allowQueues(boolean create) {
    broker().getSecurityRepository().addMatch("#", Set.of(rights(create)));
  }

  private ActiveMQServer broker() {
    return server.getActiveMQServer();
  }

  int port() {
    return port;
  }

  String url() {
    return "tcp://127.0.0.1:" + port;
  }

  /** The settings of a service that uses this broker. */
  static Map<String, String> settings(String url) {
    return new HashMap<>(
        Map.of(
            "mailbox.broker.url", url,
            "mailbox.broker.user", USER,
            "mailbox.broker.password", PASSWORD));
  }

  /** The same with TLS, and a file of trusted certificates. */
  static Map<String, String> settings(int port, Path trusted) {
    Map<String, String> settings = settings("tcp://127.0.0.1:" + port + "?sslEnabled=true");
    settings.put("mailbox.broker.trust_store", trusted.toString());
    return settings;
  }

  /** The connections of such a service. */
  static BrokerAccess access(Map<String, String> settings) {
    return BrokerChoice.of(
        SettingsLoader.load(
            key -> Optional.ofNullable(settings.get(key)), settings.keySet(), 1, Long.MAX_VALUE),
        () -> {
          throw new AssertionError("the server has no broker");
        });
  }

  /** The options of an acceptor with TLS. */
  static String showing(TestCertificate certificate) {
    return "sslEnabled=true;keyStorePath=%s;keyStorePassword=%s;keyStoreType=PKCS12"
        .formatted(certificate.keystore(), certificate.password());
  }

  /** Both of a pair, and options. */
  static String pair(int first, int second, String options) {
    return "(tcp://127.0.0.1:%d,tcp://127.0.0.1:%d)%s".formatted(first, second, options);
  }

  List<String> queues() {
    return List.of(broker().getActiveMQServerControl().getQueueNames());
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
