package org.svcmailbox.broker;

import java.nio.file.Path;
import java.time.Duration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.ha.SharedStorePrimaryPolicyConfiguration;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.svcmailbox.test.process.ProcessTree;

/**
 * A broker of a pair, as {@code mailbox-broker} lays it out, or one alone; here or in a process.
 */
final class PairMember implements AutoCloseable {
  static final Duration EVERY = Duration.ofMillis(100);

  private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();

  private PairMember(Path store, boolean isOfAPair) throws Exception {
    Configuration configuration = SmallBroker.in(store);
    if (isOfAPair) {
      configuration.setHAPolicyConfiguration(
          new SharedStorePrimaryPolicyConfiguration().setFailoverOnServerShutdown(true));
    }
    configuration.registerBrokerPlugin(new AnnounceWaiting(EVERY));
    broker.setConfiguration(configuration);
    broker.start();
  }

  /** Starts one here, which serves on return. */
  static PairMember serving(Path store) throws Exception {
    return new PairMember(store, true);
  }

  static PairMember alone(Path store) throws Exception {
    return new PairMember(store, false);
  }

  /** Starts one in a process of its own, which waits while another serves. */
  static ProcessTree waiting(Path store) throws Exception {
    return new ProcessTree(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                PairMember.class.getName(),
                store.toString())
            .inheritIO()
            .start());
  }

  public static void main(String[] arguments) throws Exception {
    serving(Path.of(arguments[0]));
  }

  ActiveMQServer server() {
    return broker.getActiveMQServer();
  }

  boolean tellsThatOneWaits() {
    return server().getAddressInfo(AnnounceWaiting.ADDRESS) != null;
  }

  @Override
  public void close() {
    try {
      broker.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the broker does not stop", e);
    }
  }
}
