package org.svcmailbox.bench.rendezvous;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.load.Schedule;
import org.svcmailbox.bench.load.Sender;
import org.svcmailbox.bench.load.SenderGroup;

/**
 * POSTs at a fixed rate to random mailboxes, at each of which a GET waits. A waiter that got a
 * message waits again. Times count from when a POST is due until its message is read.
 */
final class WakeUps {
  private static final int SENDERS = 8;
  private static final Duration DRAIN = Duration.ofSeconds(5);
  private static final int DIGITS = 8;

  private final URI door;
  private final int waiters;
  private final int perSecond;
  private final int messages;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicLongArray readAt;

  /**
   * @param perSecond rate of POSTs
   */
  WakeUps(URI door, int waiters, int perSecond, Duration length) {
    this.door = door;
    this.waiters = waiters;
    this.perSecond = perSecond;
    this.messages = Math.toIntExact(perSecond * length.toSeconds()) / SENDERS * SENDERS;
    this.readAt = new AtomicLongArray(messages);
  }

  /**
   * Posts all messages and returns the nanoseconds of each that counts.
   *
   * @param skipped time at the beginning that does not count
   * @throws IllegalStateException if a message was lost
   */
  List<Long> run(Duration skipped) throws Exception {
    Duration length = Duration.ofSeconds(1).multipliedBy(messages).dividedBy(perSecond);
    try (DialogueLoop loop =
        new DialogueLoop(door, IntStream.range(0, waiters).mapToObj(Waiter::new).toList())) {
      CompletableFuture<Long> reading = new CompletableFuture<>();
      Thread reader =
          new Thread(
              () -> {
                try {
                  reading.complete(loop.run(length.plus(DRAIN)));
                } catch (IOException | RuntimeException e) {
                  reading.completeExceptionally(e);
                }
              },
              "waiters");
      reader.start();
      Schedule schedule = Schedule.from(System.nanoTime(), perSecond);
      SenderGroup.run(SENDERS, number -> new Poster(schedule, number), () -> {}, this::postAll);
      reading.get();
      return times(schedule, (int) (skipped.toNanos() / schedule.intervalNanos()));
    }
  }

  private boolean postAll(Poster poster) throws IOException {
    poster.send(messages / SENDERS);
    return true;
  }

  private List<Long> times(Schedule schedule, int from) {
    List<Long> times = new ArrayList<>();
    for (int number = from; number < messages; number++) {
      if (readAt.get(number) == 0) {
        throw new IllegalStateException("message " + number + " was not received");
      }
      times.add(readAt.get(number) - schedule.due(number));
    }
    return times;
  }

  /** Posts due messages on a connection of its own. */
  private final class Poster implements Sender {
    private final HttpConnection connection;
    private final Schedule schedule;
    private final Random random;

    Poster(Schedule schedule, int number) throws IOException {
      connection = new HttpConnection(new LoadTarget(door, ""));
      this.schedule = schedule;
      random = new Random(number);
    }

    @Override
    public void send(int count) throws IOException {
      for (int i = 0; i < count; i++) {
        post(next.getAndIncrement());
      }
    }

    private void post(int number) throws IOException {
      schedule.await(number);
      String mailbox = RendezvousPeer.mailbox(0, random.nextInt(waiters));
      String body =
          ("%0" + DIGITS + "d").formatted(number) + "x".repeat(LoadPayload.BYTES - DIGITS);
      connection.exchange("POST", HttpCall.post(mailbox, "", body).bytes());
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }

  /** Waits for a message, records when it was read, and waits again. */
  private final class Waiter implements Dialogue {
    private final String request;

    Waiter(int number) {
      request = WaitingGets.request(number);
    }

    @Override
    public String say() {
      return request;
    }

    @Override
    public int end(String received) {
      return HttpDialogue.endOfAnswer(received);
    }

    @Override
    public Heard hear(String answer) throws IOException {
      if (answer.startsWith("HTTP/1.1 204 ")) {
        return Heard.NEXT;
      }
      int body = answer.length() - LoadPayload.BYTES;
      if (!answer.startsWith("HTTP/1.1 200 ") || body < 0) {
        throw new IOException("unexpected answer to a waiter: " + answer);
      }
      int number = Integer.parseInt(answer.substring(body, body + DIGITS));
      if (!readAt.compareAndSet(number, 0, System.nanoTime())) {
        throw new IOException("read twice: message " + number);
      }
      return Heard.MESSAGE;
    }
  }
}
