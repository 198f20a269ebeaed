package org.svcmailbox.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages that are sent when their time has come, however long the ones before them take, and
 * received and acknowledged as soon as they are there. Times are those since a message was to be
 * sent: whoever comes late because of the server is not forgiven.
 */
final class OpenLoop {
  private static final int SENDERS = 64;
  private static final Duration DRAIN = Duration.ofSeconds(30);
  private static final Pattern KEY = Pattern.compile("\"idem_key\":\"m-(\\d+)\"");

  private final LoadTarget target;
  private final String topic;
  private final Receivers receivers;
  private final long intervalNanos;
  private final int messages;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger received = new AtomicInteger();
  private final AtomicLongArray sentAt;
  private final AtomicLongArray receivedAt;
  private volatile long start;

  /**
   * Who receives.
   *
   * @param connections how many, each with one call after the other
   * @param most how many messages one call may get
   * @param pause how long each waits after a call that did not get so many
   */
  record Receivers(int connections, int most, Duration pause) {
    /** Each message as soon as it is there. */
    static final Receivers AT_ONCE = new Receivers(16, 10, Duration.ZERO);

    /** Many at once, which costs the server little. */
    static final Receivers IN_BULK = new Receivers(4, 100, Duration.ofMillis(50));
  }

  /**
   * How long each message took, in nanoseconds.
   *
   * @param enqueue from when it was to be sent until its SEND was answered
   * @param dequeue from then until its RECV was answered; nothing if that came first
   * @param both from when it was to be sent until its RECV was answered
   * @param start the moment the first one was to be sent, on the clock of {@link System#nanoTime}
   * @param answered when each SEND was answered, on the same clock
   */
  record Result(
      List<Long> enqueue, List<Long> dequeue, List<Long> both, long start, List<Long> answered) {}

  /**
   * @param perSecond how many messages are sent in each second of {@code length}
   */
  OpenLoop(LoadTarget target, String topic, int perSecond, Duration length, Receivers receivers) {
    this.target = target;
    this.topic = topic;
    this.receivers = receivers;
    this.intervalNanos = Duration.ofSeconds(1).toNanos() / perSecond;
    this.messages = Math.toIntExact(perSecond * length.toSeconds());
    this.sentAt = new AtomicLongArray(messages);
    this.receivedAt = new AtomicLongArray(messages);
  }

  /** Sends all of them, and waits until all are acknowledged. */
  Result run() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(SENDERS + receivers.connections());
    start = System.nanoTime();
    List<Callable<Void>> parts = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      parts.add(this::send);
    }
    for (int i = 0; i < receivers.connections(); i++) {
      parts.add(this::receive);
    }
    try {
      for (Future<Void> part : threads.invokeAll(parts)) {
        part.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
    return result();
  }

  private Void send() throws IOException {
    try (HttpConnection connection = new HttpConnection(target)) {
      int number;
      while ((number = next.getAndIncrement()) < messages) {
        await(due(number));
        connection.post("/v1/send", Messages.one(topic, "m-" + number));
        sentAt.set(number, System.nanoTime());
      }
    }
    return null;
  }

  private Void receive() throws IOException {
    long end = due(messages) + DRAIN.toNanos();
    String recv =
        "{\"topic\":\"" + topic + "\",\"max_messages\":" + receivers.most() + ",\"wait_ms\":500}";
    try (HttpConnection connection = new HttpConnection(target)) {
      while (received.get() < messages) {
        String answer = connection.post("/v1/recv", recv);
        int got = note(answer, System.nanoTime());
        if (got > 0) {
          connection.post("/v1/ack/batch", AckBatch.of(answer).json());
          received.addAndGet(got);
        } else if (System.nanoTime() - end > 0) {
          throw new IOException(messages - received.get() + " messages never came");
        }
        if (got < receivers.most()) {
          await(System.nanoTime() + receivers.pause().toNanos());
        }
      }
    }
    return null;
  }

  private int note(String answer, long now) {
    Matcher key = KEY.matcher(answer);
    int got = 0;
    while (key.find()) {
      if (!receivedAt.compareAndSet(Integer.parseInt(key.group(1)), 0, now)) {
        throw new IllegalStateException("received twice: " + key.group());
      }
      got++;
    }
    return got;
  }

  private long due(int number) {
    return start + number * intervalNanos;
  }

  private static void await(long moment) {
    long left;
    while ((left = moment - System.nanoTime()) > 0) {
      LockSupport.parkNanos(left);
    }
  }

  private Result result() {
    Result result =
        new Result(
            new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), start, new ArrayList<>());
    for (int i = 0; i < messages; i++) {
      result.enqueue().add(sentAt.get(i) - due(i));
      result.dequeue().add(Math.max(0, receivedAt.get(i) - sentAt.get(i)));
      result.both().add(receivedAt.get(i) - due(i));
      result.answered().add(sentAt.get(i));
    }
    return result;
  }
}
