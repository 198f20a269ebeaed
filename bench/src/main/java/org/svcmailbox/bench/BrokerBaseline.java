package org.svcmailbox.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/**
 * The broker alone, in a JVM of its own, with the durability and the journal that the service gives
 * it: what the core client does with 1 KiB messages in transacted sessions over an in-VM
 * connection. No HTTP, no database, no hashes, no leases.
 *
 * <p>Messages go in and out by turns, so that the backlog stays far below what would page.
 */
final class BrokerBaseline {
  private static final int QUEUES = 4;
  private static final int TURN = 20_000;
  private static final long RECEIVE_MILLIS = 10_000;

  private final List<Lane> lanes;
  private final ExecutorService threads;

  private BrokerBaseline(List<Lane> lanes, ExecutorService threads) {
    this.lanes = lanes;
    this.threads = threads;
  }

  /**
   * Measures and prints one line of JSON.
   *
   * @param arguments the journal's directory, and the seconds for each figure
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    Duration lasting = Duration.ofSeconds(Integer.parseInt(arguments[1]));
    ConfigurationImpl configuration = BareBroker.configuration(directory);
    for (int i = 0; i < QUEUES; i++) {
      configuration.addQueueConfiguration(
          QueueConfiguration.of("baseline." + i).setRoutingType(RoutingType.ANYCAST));
    }
    EmbeddedActiveMQ broker = new EmbeddedActiveMQ().setConfiguration(configuration);
    broker.start();
    try (ServerLocator locator = ActiveMQClient.createServerLocator(BareBroker.URI);
        ClientSessionFactory factory = locator.createSessionFactory()) {
      System.out.println("RESULT " + measure(factory, lasting));
    } finally {
      broker.stop();
    }
  }

  private static String measure(ClientSessionFactory factory, Duration lasting) throws Exception {
    int cores = Runtime.getRuntime().availableProcessors();
    double[] one = measure(factory, 1, 1, lasting);
    double[] many = measure(factory, cores, 64, lasting);
    return String.format(
        Locale.ROOT,
        "{\"send_1\":%.1f,\"receive_1\":%.1f,\"send_64\":%.1f,\"receive_64\":%.1f}",
        one[0],
        one[1],
        many[0],
        many[1]);
  }

  /** Messages per second sent, and received, by so many sessions with so many per commit. */
  private static double[] measure(
      ClientSessionFactory factory, int sessions, int perCommit, Duration lasting)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(sessions);
    List<Lane> lanes = new ArrayList<>();
    try {
      for (int i = 0; i < sessions; i++) {
        lanes.add(new Lane(factory, perCommit, queuesOf(i, sessions)));
      }
      BrokerBaseline baseline = new BrokerBaseline(lanes, threads);
      baseline.turns(lasting.dividedBy(2));
      return baseline.turns(lasting);
    } finally {
      threads.shutdownNow();
      for (Lane lane : lanes) {
        lane.close();
      }
    }
  }

  private double[] turns(Duration lasting) throws Exception {
    long end = System.nanoTime() + lasting.toNanos();
    long sendNanos = 0;
    long receiveNanos = 0;
    long messages = 0;
    // Not more than half the time may be left for the way back.
    int turn = Math.min(TURN, lanes.get(0).perCommit * 2_000);
    while (System.nanoTime() - end < 0) {
      long before = System.nanoTime();
      all(lane -> lane.send(turn));
      long between = System.nanoTime();
      all(lane -> lane.receive(turn));
      sendNanos += between - before;
      receiveNanos += System.nanoTime() - between;
      messages += (long) turn * lanes.size();
    }
    return new double[] {messages / (sendNanos / 1e9), messages / (receiveNanos / 1e9)};
  }

  private interface Turn {
    void on(Lane lane) throws Exception;
  }

  private void all(Turn turn) throws Exception {
    List<Future<Boolean>> futures = new ArrayList<>();
    for (Lane lane : lanes) {
      futures.add(
          threads.submit(
              () -> {
                turn.on(lane);
                return true;
              }));
    }
    for (Future<Boolean> future : futures) {
      future.get();
    }
  }

  private static List<String> queuesOf(int session, int sessions) {
    return IntStream.range(0, QUEUES)
        .filter(queue -> queue % sessions == session)
        .mapToObj(queue -> "baseline." + queue)
        .toList();
  }

  /** One transacted session with the queues it alone uses. One thread at a time. */
  private static final class Lane {
    private final int perCommit;
    private final byte[] payload = LoadPayload.bytes();
    private final ClientSession session;
    private final List<ClientProducer> producers = new ArrayList<>();
    private final List<ClientConsumer> consumers = new ArrayList<>();

    Lane(ClientSessionFactory factory, int perCommit, List<String> queues) throws Exception {
      this.perCommit = perCommit;
      this.session = factory.createSession(false, false, 0);
      for (String queue : queues) {
        producers.add(session.createProducer(queue));
        consumers.add(session.createConsumer(queue));
      }
      session.start();
    }

    void send(int messages) throws Exception {
      for (int i = 0; i < messages; i++) {
        ClientMessage message = session.createMessage(true);
        message.getBodyBuffer().writeBytes(payload);
        producers.get(i % producers.size()).send(message);
        if ((i + 1) % perCommit == 0) {
          session.commit();
        }
      }
      session.commit();
    }

    void receive(int messages) throws Exception {
      for (int i = 0; i < messages; i++) {
        ClientMessage message = consumers.get(i % consumers.size()).receive(RECEIVE_MILLIS);
        if (message == null) {
          throw new IllegalStateException("a message is missing");
        }
        message.individualAcknowledge();
        if ((i + 1) % perCommit == 0) {
          session.commit();
        }
      }
      session.commit();
    }

    void close() throws Exception {
      session.close();
    }
  }
}
