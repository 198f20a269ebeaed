package org.svcmailbox.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.bench.http.AckBatch;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.Messages;

/**
 * Messages at a fixed rate through SEND, RECV and ACK. Each is sent when it is due, however long
 * earlier ones take, and received as soon as it is available.
 */
public final class OpenLoop {
  private static final int SENDERS = 64;
  private static final Duration DRAIN = Duration.ofSeconds(30);
  private static final Pattern KEY = Pattern.compile("\"idem_key\":\"m-(\\d+)\"");

  private final LoadTarget target;
  private final String topic;
  private final int perSecond;
  private final Receivers receivers;
  private final int messages;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger received = new AtomicInteger();
  private final AtomicLongArray sentAt;
  private final AtomicLongArray receivedAt;

  /**
   * How the messages are received.
   *
   * @param connections number of receivers, each with one call at a time
   * @param most messages in one RECV
   * @param pause wait of a receiver after a RECV that got fewer
   */
  public record Receivers(int connections, int most, Duration pause) {
    /** Receives each message at once. */
    public static final Receivers AT_ONCE = new Receivers(16, 10, Duration.ZERO);

    /** Receives many at once, which costs the server little. */
    public static final Receivers IN_BULK = new Receivers(4, 100, Duration.ofMillis(50));
  }

  /**
   * Times of each message, in nanoseconds.
   *
   * @param enqueue from its due time to the answer of its SEND
   * @param dequeue from there to the answer of its RECV; 0 if that came first
   * @param both from its due time to the answer of its RECV
   * @param start due time of the first message, on the clock of {@link System#nanoTime}
   * @param answered moment of each SEND's answer, on the same clock
   */
  public record Result(
      List<Long> enqueue, List<Long> dequeue, List<Long> both, long start, List<Long> answered) {}

  public OpenLoop(
      LoadTarget target, String topic, int perSecond, Duration length, Receivers receivers) {
    this.target = target;
    this.topic = topic;
    this.perSecond = perSecond;
    this.receivers = receivers;
    this.messages = Math.toIntExact(perSecond * length.toSeconds());
    this.sentAt = new AtomicLongArray(messages);
    this.receivedAt = new AtomicLongArray(messages);
  }

  /**
   * Sends all messages and returns once all are acknowledged.
   *
   * @throws IllegalStateException if a call failed or a message was lost
   */
  public Result run() throws InterruptedException {
    Schedule schedule = Schedule.from(System.nanoTime(), perSecond);
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      tasks.add(() -> send(schedule));
    }
    for (int i = 0; i < receivers.connections(); i++) {
      tasks.add(() -> receive(schedule.due(messages) + DRAIN.toNanos()));
    }
    Parallel.run(tasks);
    return result(schedule);
  }

  private boolean send(Schedule schedule) throws IOException {
    try (HttpConnection connection = new HttpConnection(target)) {
      int number;
      while ((number = next.getAndIncrement()) < messages) {
        schedule.await(number);
        connection.post("/v1/send", Messages.one(topic, "m-" + number));
        sentAt.set(number, System.nanoTime());
      }
    }
    return true;
  }

  private boolean receive(long end) throws IOException {
    String recv =
        "{\"topic\":\"" + topic + "\",\"max_messages\":" + receivers.most() + ",\"wait_ms\":500}";
    try (HttpConnection connection = new HttpConnection(target)) {
      while (received.get() < messages) {
        String answer = connection.post("/v1/recv", recv);
        int got = record(answer, System.nanoTime());
        if (got > 0) {
          connection.post("/v1/ack/batch", AckBatch.of(answer).json());
          received.addAndGet(got);
        } else if (System.nanoTime() - end > 0) {
          throw new IOException(messages - received.get() + " messages were not received");
        }
        if (got < receivers.most()) {
          Schedule.parkUntil(System.nanoTime() + receivers.pause().toNanos());
        }
      }
    }
    return true;
  }

  private int record(String answer, long now) {
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

  private Result result(Schedule schedule) {
    Result result =
        new Result(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            schedule.start(),
            new ArrayList<>());
    for (int i = 0; i < messages; i++) {
      result.enqueue().add(sentAt.get(i) - schedule.due(i));
      result.dequeue().add(Math.max(0, receivedAt.get(i) - sentAt.get(i)));
      result.both().add(receivedAt.get(i) - schedule.due(i));
      result.answered().add(sentAt.get(i));
    }
    return result;
  }
}
