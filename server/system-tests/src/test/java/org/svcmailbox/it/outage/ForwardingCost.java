package org.svcmailbox.it.outage;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Together;

/** The CPU time of servers for a message that is sent, received and acknowledged, ten at a time. */
final class ForwardingCost {
  private static final int TEN = 10;
  private static final int CLIENTS = 4;
  private static final int WARM_UP = 50;
  private static final int BATCHES = 200;
  private static final byte[] PAYLOAD = new byte[1024];

  private final String topic;
  private final AtomicInteger keys = new AtomicInteger();

  ForwardingCost(String topic) {
    this.topic = topic;
  }

  /** Microseconds of CPU for each message, with all clients at one node. */
  double micros(MailboxClient node, List<MailboxServer> servers) throws Exception {
    work(node, WARM_UP);
    Duration before = cpu(servers);
    work(node, BATCHES);
    long messages = (long) BATCHES * TEN * CLIENTS;
    return cpu(servers).minus(before).toNanos() / 1_000.0 / messages;
  }

  private void work(MailboxClient node, int batches) throws Exception {
    List<Integer> unused = Together.run(CLIENTS, () -> workAlone(node, batches));
  }

  private int workAlone(MailboxClient node, int batches) throws IOException {
    for (int i = 0; i < batches; i++) {
      List<Fields> messages =
          IntStream.range(0, TEN)
              .mapToObj(one -> Fields.send(topic, "cost-" + keys.getAndIncrement(), PAYLOAD))
              .toList();
      node.sendBatch(messages).expect(200);
      int received = 0;
      while (received < TEN) {
        List<Message> some = node.recvAll(recv(TEN - received), 1);
        node.ackBatch(some).expect(200);
        received += some.size();
      }
    }
    return batches;
  }

  private Fields recv(int most) {
    return Fields.of("topic", topic)
        .with("max_messages", most)
        .with("wait_ms", 20_000)
        .with("visibility_ms", 60_000);
  }

  private static Duration cpu(List<MailboxServer> servers) {
    return servers.stream()
        .flatMap(server -> server.processIds().stream())
        .flatMap(id -> ProcessHandle.of(id).stream())
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }
}
