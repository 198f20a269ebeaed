package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * Producers that send as fast as they are answered, and a consumer that acknowledges what it
 * receives or has it die. At the end each message that was answered is settled.
 */
final class DiskLoad implements AutoCloseable {
  /** Large: the broker makes 100 MiB of journal ahead, which a slow machine must fill first. */
  private static final byte[] PAYLOAD = new byte[24_000];

  private static final int PRODUCERS = 8;

  private static final int LETTERS = 50;

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("disk");
  private final Set<String> answered = ConcurrentHashMap.newKeySet();
  private final Set<String> settled = ConcurrentHashMap.newKeySet();
  private final Map<String, AtomicInteger> refusals = new ConcurrentHashMap<>();
  private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
  private final AtomicInteger keys = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger letters = new AtomicInteger();
  private final AtomicInteger settling = new AtomicInteger();
  private final ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS + 1);
  private volatile int backlog;
  private volatile boolean isConsuming;
  private volatile boolean isOver;

  /** Begins to do nothing. */
  DiskLoad(MailboxClient client) throws IOException {
    this.client = client;
    client.putTopic(topic, Fields.of("max_attempts", 1)).expect(201);
    for (int i = 0; i < PRODUCERS; i++) {
      threads.execute(() -> repeat(this::send));
    }
    threads.execute(() -> repeat(this::consume));
  }

  private interface Call {
    /** Answers whether to go on at once. */
    boolean make() throws IOException;
  }

  private void repeat(Call call) {
    while (!isOver) {
      if (!make(call)) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private boolean make(Call call) {
    // Before the call looks at what is wanted, so that quieten() misses none.
    underWay.incrementAndGet();
    try {
      return call.make();
    } catch (IOException e) {
      // Without an answer nobody knows; the process may be gone.
      return false;
    } finally {
      underWay.decrementAndGet();
    }
  }

  private boolean send() throws IOException {
    if (unsettled() >= backlog) {
      return false;
    }
    MailboxAnswer answer = client.send(topic, "key-" + keys.incrementAndGet(), PAYLOAD);
    if (answer.status() != 200) {
      refused(answer);
      return false;
    }
    answered.add(answer.msgId());
    return true;
  }

  private void refused(MailboxAnswer answer) {
    if (answer.status() != 503 || answer.header("retry-after").isEmpty()) {
      unexpected.add(answer.status() + " " + answer.text());
    }
    refusals.computeIfAbsent(answer.reason(), reason -> new AtomicInteger()).incrementAndGet();
  }

  private boolean consume() throws IOException {
    return isConsuming && receive() > 0;
  }

  /** Answers how many messages came. */
  private int receive() throws IOException {
    Fields some = Fields.of("topic", topic).with("max_messages", 100).with("visibility_ms", 30_000);
    MailboxAnswer answer = client.recv(some);
    if (answer.status() != 200) {
      refused(answer);
      return 0;
    }
    List<Message> messages = answer.messages();
    if (!messages.isEmpty()) {
      settle(messages);
    }
    return messages.size();
  }

  private void settle(List<Message> messages) throws IOException {
    settling.incrementAndGet();
    List<Message> acknowledging = new ArrayList<>(messages);
    if (letters.get() < LETTERS) {
      Message dying = acknowledging.remove(0);
      if (client.nack(dying, Fields.of("reason", "poison")).status() == 200) {
        letters.incrementAndGet();
      }
    }
    if (!acknowledging.isEmpty()) {
      acknowledge(acknowledging);
    }
  }

  private void acknowledge(List<Message> messages) throws IOException {
    MailboxAnswer answer;
    try {
      answer = client.ackBatch(messages);
    } catch (IOException e) {
      // They may have been settled.
      messages.forEach(message -> settled.add(message.msgId()));
      throw e;
    }
    for (int i = 0; i < answer.results().size(); i++) {
      // One that was answered with an error may have been settled as well.
      settled.add(messages.get(i).msgId());
      if (answer.results().get(i).path("ok").asBoolean()) {
        acknowledged.incrementAndGet();
      }
    }
  }

  /** Has producers send for as long as fewer messages than {@code most} are left. */
  void produce(int most) {
    backlog = most;
  }

  /** Whether messages are taken from now on. */
  void consume(boolean isWanted) {
    isConsuming = isWanted;
  }

  /** SENDs that were answered with a message's id. */
  int answered() {
    return answered.size();
  }

  /** Messages whose ACK was answered. */
  int acknowledged() {
    return acknowledged.get();
  }

  /** SENDs and RECVs that were refused for this reason. */
  int refused(String reason) {
    AtomicInteger count = refusals.get(reason);
    return count == null ? 0 : count.get();
  }

  /** Returns when so many SENDs more have been answered. */
  void awaitAnswered(int more, Duration allowed) {
    int before = answered();
    Deadline.in(allowed)
        .await(() -> answered() >= before + more, () -> more + " SENDs answered; " + this);
  }

  /** Has messages taken, and returns when the first are about to be settled, or it is over. */
  void settleSome(BooleanSupplier isDone, Duration allowed) {
    int before = settling.get();
    consume(true);
    Deadline.in(allowed)
        .await(() -> settling.get() > before || isDone.getAsBoolean(), () -> "a RECV; " + this);
  }

  /** Returns when so many messages are left. */
  void awaitBacklog(int messages, Duration allowed) {
    Deadline.in(allowed)
        .await(() -> unsettled() >= messages, () -> messages + " messages; " + this);
  }

  /** Returns when fewer messages are left. */
  void awaitBacklogBelow(int messages, Duration allowed) {
    Deadline.in(allowed)
        .await(() -> unsettled() < messages, () -> "fewer than " + messages + " messages; " + this);
  }

  private int unsettled() {
    return answered.size() - settled.size();
  }

  /** Stops producing and consuming, and returns when no call is under way. */
  void quieten(Duration allowed) {
    produce(0);
    consume(false);
    Deadline.in(allowed).await(() -> underWay.get() == 0, () -> "the end of all calls; " + this);
  }

  /** Returns when so many ACKs more have been answered. */
  void awaitAcknowledged(int more, Duration allowed) {
    int before = acknowledged();
    Deadline.in(allowed)
        .await(() -> acknowledged() >= before + more, () -> more + " ACKs answered; " + this);
  }

  /** Returns when a SEND has been refused for this reason since now. */
  void awaitRefused(String reason, Duration allowed) {
    int before = refused(reason);
    Deadline.in(allowed).await(() -> refused(reason) > before, () -> reason + "; " + this);
  }

  /** Ends the load; what is still under way may be answered or not. */
  void end() throws InterruptedException {
    isOver = true;
    threads.shutdown();
    assertTrue(threads.awaitTermination(60, TimeUnit.SECONDS), "the load does not end");
  }

  /** Takes all there is, and finds each message that was answered among what was ever settled. */
  void assertNothingIsLost() throws IOException {
    Deadline deadline = Deadline.in(Duration.ofMinutes(3));
    while (left() > 0) {
      assertTrue(!deadline.isOver(), this::toString);
      if (receive() == 0) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
    settled.addAll(dead());
    Set<String> lost = new TreeSet<>(answered);
    lost.removeAll(settled);
    assertEquals(Set.of(), lost, () -> lost.size() + " messages are lost; " + this);
    assertEquals(List.of(), List.copyOf(unexpected));
  }

  private long left() throws IOException {
    var counts = client.topic(topic).expect(200).json();
    return counts.path("ready").asLong() + counts.path("inflight").asLong();
  }

  private Set<String> dead() throws IOException {
    Set<String> dead = new TreeSet<>();
    String query = "/v1/dlq/" + topic + "?limit=100";
    JsonNode page = client.get(query).expect(200).json();
    while (true) {
      page.path("letters").forEach(letter -> dead.add(letter.path("msg_id").asText()));
      if (!page.has("next_cursor")) {
        return dead;
      }
      String cursor = page.path("next_cursor").asText();
      page = client.get(query + "&cursor=" + cursor).expect(200).json();
    }
  }

  @Override
  public String toString() {
    return "answered "
        + answered.size()
        + ", settled "
        + settled.size()
        + ", ACKs answered "
        + acknowledged
        + ", dead "
        + letters
        + ", refused "
        + refusals;
  }

  @Override
  public void close() {
    isOver = true;
    threads.shutdownNow();
  }
}
