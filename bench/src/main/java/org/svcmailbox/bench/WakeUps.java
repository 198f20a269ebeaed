package org.svcmailbox.bench;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * POSTs at a fixed rate to random ones of many mailboxes, at each of which a GET waits. A waiter
 * that got a message waits again. Times are those from when a POST was due until its message was
 * read.
 */
final class WakeUps {
  private static final int SENDERS = 8;
  private static final Duration DRAIN = Duration.ofSeconds(5);
  private static final int DIGITS = 8;

  private final URI door;
  private final int waiters;
  private final long intervalNanos;
  private final int messages;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicLongArray readAt;
  private volatile long start;

  /**
   * @param perSecond how many POSTs are due in each second of {@code length}
   */
  WakeUps(URI door, int waiters, int perSecond, Duration length) {
    this.door = door;
    this.waiters = waiters;
    this.intervalNanos = Duration.ofSeconds(1).toNanos() / perSecond;
    this.messages = Math.toIntExact(perSecond * length.toSeconds()) / SENDERS * SENDERS;
    this.readAt = new AtomicLongArray(messages);
  }

  /**
   * Posts all of them.
   *
   * @param skipped how long at the beginning nothing counts
   * @return nanoseconds of each that counts
   * @throws IllegalStateException if one never came
   */
  List<Long> run(Duration skipped) throws Exception {
    Duration length = Duration.ofNanos(messages * intervalNanos);
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
      start = System.nanoTime();
      SenderGroup.run(SENDERS, Poster::new, () -> {}, this::postAll);
      reading.get();
    }
    return times((int) (skipped.toNanos() / intervalNanos));
  }

  /** Each sender has the same share. */
  private boolean postAll(Poster poster) throws IOException {
    poster.send(messages / SENDERS);
    return true;
  }

  private List<Long> times(int from) {
    List<Long> times = new ArrayList<>();
    for (int number = from; number < messages; number++) {
      if (readAt.get(number) == 0) {
        throw new IllegalStateException("message " + number + " never came");
      }
      times.add(readAt.get(number) - due(number));
    }
    return times;
  }

  private long due(int number) {
    return start + number * intervalNanos;
  }

  /** Posts what is due, on a connection of its own. */
  private final class Poster implements Sender {
    private final HttpConnection connection;
    private final Random random;

    Poster(int number) throws IOException {
      connection = new HttpConnection(new LoadTarget(door, ""));
      random = new Random(number);
    }

    @Override
    public void send(int count) throws IOException {
      for (int i = 0; i < count; i++) {
        post(next.getAndIncrement());
      }
    }

    private void post(int number) throws IOException {
      long left;
      while ((left = due(number) - System.nanoTime()) > 0) {
        LockSupport.parkNanos(left);
      }
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

  /** Waits, notes when a message was read, and waits again. */
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
        throw new IOException("a waiter was answered " + answer);
      }
      int number = Integer.parseInt(answer.substring(body, body + DIGITS));
      if (!readAt.compareAndSet(number, 0, System.nanoTime())) {
        throw new IOException("read twice: message " + number);
      }
      return Heard.MESSAGE;
    }
  }
}
