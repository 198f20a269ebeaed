package org.svcmailbox.it.outage;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * Clients that send new keys, one after the other, and repeat what is refused until it is accepted.
 * It knows the group of each message, and how long its SEND took with all repetitions.
 */
final class SendProbe implements AutoCloseable {
  private static final int CLIENTS = 4;
  private static final byte[] PAYLOAD = new byte[100];
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final AtomicInteger KEYS = new AtomicInteger();

  private final MailboxClient client;
  private final String topic;
  private final int groups;
  private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
  private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
  private volatile boolean isOver;

  /** A SEND that was accepted, with its first call's beginning and its last one's end. */
  private record Sent(String key, String msgId, long begun, long ended) {}

  private SendProbe(MailboxClient client, String topic, int groups) {
    this.client = client;
    this.topic = topic;
    this.groups = groups;
  }

  /** Begins to send. */
  static SendProbe start(MailboxClient client, String topic, int groups) {
    SendProbe probe = new SendProbe(client, topic, groups);
    for (int i = 0; i < CLIENTS; i++) {
      probe.threads.execute(probe::sendAll);
    }
    probe.await(50);
    return probe;
  }

  private void sendAll() {
    while (!isOver) {
      String key = "probe-" + KEYS.getAndIncrement();
      long begun = System.nanoTime();
      String id = send(key);
      while (id.isEmpty() && !isOver) {
        LockSupport.parkNanos(PAUSE.toNanos());
        id = send(key);
      }
      if (!id.isEmpty()) {
        sent.add(new Sent(key, id, begun, System.nanoTime()));
      }
    }
  }

  private String send(String key) {
    try {
      MailboxAnswer answer = client.send(topic, key, PAYLOAD);
      if (answer.status() == 200) {
        return answer.msgId();
      }
      refusals.merge(answer.status() + " " + answer.reason(), 1, Integer::sum);
    } catch (IOException e) {
      refusals.merge(e.getClass().getSimpleName(), 1, Integer::sum);
    }
    return "";
  }

  /** Returns when so many SENDs more have been accepted. */
  void await(int more) {
    int before = sent.size();
    Deadline.in(SOON)
        .await(() -> sent.size() >= before + more, () -> more + " SENDs more; " + refusals);
  }

  /** Waits until a SEND of one of these groups is accepted after {@code since}; returns when. */
  long firstAnswer(long since, Set<Integer> among) {
    Deadline.in(SOON).await(() -> first(since, among) != Long.MAX_VALUE, refusals::toString);
    return first(since, among);
  }

  private long first(long since, Set<Integer> among) {
    return sent.stream()
        .filter(one -> one.ended() - since > 0 && among.contains(group(one)))
        .mapToLong(Sent::ended)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private int group(Sent one) {
    return MsgId.parse(one.msgId()).slot() % groups;
  }

  /** The longest time that a SEND took that was accepted after {@code since}. */
  Duration slowest(long since) {
    return sent.stream()
        .filter(one -> one.ended() - since > 0)
        .map(one -> Duration.ofNanos(one.ended() - one.begun()))
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /** The accepted messages, by key. */
  Map<String, String> accepted() {
    Map<String, String> ids = new ConcurrentHashMap<>();
    sent.forEach(one -> ids.put(one.key(), one.msgId()));
    return ids;
  }

  /** How often which refusal was met. */
  Map<String, Integer> refusals() {
    return Map.copyOf(refusals);
  }

  /** Returns when no SEND is under way any more. */
  @Override
  public void close() {
    isOver = true;
    threads.shutdown();
    Deadline.in(SOON).await(threads::isTerminated, () -> "the end of the probe");
  }
}
