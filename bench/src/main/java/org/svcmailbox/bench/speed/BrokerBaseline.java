package org.svcmailbox.bench.speed;

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
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.svcmailbox.bench.contestant.BareBroker;
import org.svcmailbox.bench.load.ResultLine;

/**
 * The broker alone, in a JVM of its own, with the durability and journal of the service: 1 KiB
 * messages in transacted sessions of the core client, in-VM.
 *
 * <p>Messages go in and out in turn, which keeps the backlog far below the paging limit.
 */
final class BrokerBaseline {
  private static final int QUEUES = 4;
  private static final int TURN = 20_000;

  private final List<BrokerLane> lanes;
  private final ExecutorService threads;

  private BrokerBaseline(List<BrokerLane> lanes, ExecutorService threads) {
    this.lanes = lanes;
    this.threads = threads;
  }

  /**
   * Measures and prints a {@link ResultLine}.
   *
   * @param arguments directory of the journal, and seconds for each figure
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
      System.out.println(ResultLine.PREFIX + measure(factory, lasting));
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

  /** Messages a second sent and received. */
  private static double[] measure(
      ClientSessionFactory factory, int sessions, int perCommit, Duration lasting)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(sessions);
    List<BrokerLane> lanes = new ArrayList<>();
    try {
      for (int i = 0; i < sessions; i++) {
        lanes.add(new BrokerLane(factory, perCommit, queuesOf(i, sessions)));
      }
      BrokerBaseline baseline = new BrokerBaseline(lanes, threads);
      baseline.turns(lasting.dividedBy(2));
      return baseline.turns(lasting);
    } finally {
      threads.shutdownNow();
      for (BrokerLane lane : lanes) {
        lane.close();
      }
    }
  }

  private double[] turns(Duration lasting) throws Exception {
    long end = System.nanoTime() + lasting.toNanos();
    long sendNanos = 0;
    long receiveNanos = 0;
    long messages = 0;
    // Single commits are slow: shorter turns, so that the last one barely exceeds the time.
    int turn = Math.min(TURN, lanes.get(0).perCommit() * 2_000);
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
    void on(BrokerLane lane) throws Exception;
  }

  private void all(Turn turn) throws Exception {
    List<Future<Boolean>> futures = new ArrayList<>();
    for (BrokerLane lane : lanes) {
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
}
