package org.svcmailbox.it.outage;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.test.concurrent.Deadline;

/** One client that sends a message after the other, and one that acknowledges every second one. */
final class SteadyLoad implements AutoCloseable {
  private static final byte[] PAYLOAD = new byte[100];
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final Duration SOON = Duration.ofSeconds(60);

  private final MailboxClient client;
  private final String topic;
  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private final Set<String> acknowledging = ConcurrentHashMap.newKeySet();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private volatile boolean isOver;

  private SteadyLoad(MailboxClient client, String topic) {
    this.client = client;
    this.topic = topic;
  }

  /** Begins to send and to receive. */
  static SteadyLoad start(MailboxClient client, String topic) {
    SteadyLoad load = new SteadyLoad(client, topic);
    load.threads.execute(load::sendAll);
    load.threads.execute(load::receiveAll);
    return load;
  }

  private void sendAll() {
    try {
      for (int i = 0; !isOver; i++) {
        String key = "steady-" + i;
        client.send(topic, key, PAYLOAD).expect(200);
        sent.add(key);
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    } catch (IOException e) {
      // The process is gone.
    }
  }

  private void receiveAll() {
    Fields some = Fields.of("topic", topic).with("wait_ms", 100).with("visibility_ms", 600_000);
    try {
      for (int i = 0; !isOver; i++) {
        for (Message message : client.recv(some).expect(200).messages()) {
          if (i % 2 == 0) {
            acknowledging.add(message.idemKey());
            client.ack(message).expect(200);
            acknowledged.add(message.idemKey());
          }
        }
      }
    } catch (IOException e) {
      // The process is gone.
    }
  }

  /** Returns when so many SENDs more have been answered. */
  void await(int more) {
    int before = sent.size();
    Deadline.in(SOON).await(() -> sent.size() >= before + more, () -> more + " SENDs");
  }

  /** The keys of messages whose SEND has been answered. */
  Set<String> sent() {
    return Set.copyOf(sent);
  }

  /** The keys of messages whose ACK has been sent, those answered included. */
  Set<String> acknowledging() {
    return Set.copyOf(acknowledging);
  }

  /** The keys of messages whose ACK has been answered. */
  Set<String> acknowledged() {
    return Set.copyOf(acknowledged);
  }

  @Override
  public void close() {
    isOver = true;
    threads.shutdown();
    Deadline.in(SOON).await(threads::isTerminated, () -> "the end of the load");
  }
}
