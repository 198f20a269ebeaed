package org.svcmailbox.bench.contestant;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.svcmailbox.bench.load.ClosedLoop;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.load.QueueClient;
import org.svcmailbox.bench.load.ResultLine;
import org.svcmailbox.bench.load.Work;

/**
 * The bare broker and its in-VM clients in one JVM. It reads commands, one a line, and answers each
 * with one line.
 */
public final class ArtemisProcess {
  private static final int QUEUES = 4;
  private static final int FILLERS = 8;
  private static final int FILL_BATCH = 100;
  private static final int WINDOW_BYTES = 256 << 10;

  private final ActiveMQServer server;
  private final ServerLocator locator;

  private ArtemisProcess(ActiveMQServer server, ServerLocator locator) {
    this.server = server;
    this.locator = locator;
  }

  /**
   * Runs until the end of its input.
   *
   * @param arguments the data directory
   */
  public static void main(String[] arguments) throws Exception {
    EmbeddedActiveMQ broker =
        new EmbeddedActiveMQ().setConfiguration(BareBroker.configuration(Path.of(arguments[0])));
    broker.start();
    try (ServerLocator locator =
        ActiveMQClient.createServerLocator(BareBroker.URI).setConsumerWindowSize(WINDOW_BYTES)) {
      new ArtemisProcess(broker.getActiveMQServer(), locator).serve();
    } finally {
      broker.stop();
    }
  }

  private void serve() throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line;
    while ((line = lines.readLine()) != null) {
      System.out.println(answer(line.split(" ", -1)));
    }
  }

  private String answer(String[] words) throws Exception {
    String queue = words[1];
    switch (words[0]) {
      case "create" -> create(queue);
      case "fill" ->
          ClosedLoop.fill(
              number -> client(queue, number), FILLERS, FILL_BATCH, Integer.parseInt(words[2]));
      case "run" -> {
        return run(queue, words).print();
      }
      case "delete" -> delete(queue);
      default -> throw new IOException("unknown command " + words[0]);
    }
    return ResultLine.PREFIX;
  }

  private Outcome run(String queue, String[] words) throws InterruptedException {
    Load load =
        new Load(
            Work.of(words[2]),
            Integer.parseInt(words[3]),
            Integer.parseInt(words[4]),
            Integer.parseInt(words[5]));
    Duration lasting = Duration.parse(words[6]);
    return ClosedLoop.runOrAtRate(number -> client(queue, number), load, lasting);
  }

  private void create(String queue) throws Exception {
    for (int i = 0; i < QUEUES; i++) {
      server.createQueue(
          QueueConfiguration.of(queue + "." + i).setRoutingType(RoutingType.ANYCAST));
    }
  }

  private void delete(String queue) throws Exception {
    for (int i = 0; i < QUEUES; i++) {
      server.destroyQueue(SimpleString.of(queue + "." + i));
    }
  }

  private QueueClient client(String queue, int number) throws Exception {
    return new ArtemisClient(locator, queue + "." + number % QUEUES);
  }
}
