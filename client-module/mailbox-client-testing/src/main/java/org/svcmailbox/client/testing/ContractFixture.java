package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.function.Executable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.CountAccuracy;
import org.svcmailbox.client.BackendFeatures.Ordering;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;

/** The mailboxes of a test, and the steps that its cases have in common. */
abstract class ContractFixture {
  /** A lease that outlasts any test. */
  static final Duration LONG = Duration.ofMinutes(5);

  /** How long, in real time, to wait for a message that must appear. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  static final String TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  static final String TRACESTATE = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE";

  private final List<Mailbox<String, String>> opened = new ArrayList<>();
  private final List<ExecutorService> executors = new ArrayList<>();

  /**
   * Opens the mailbox of this name, and creates it if necessary. The backend may add a suffix to
   * the name.
   *
   * @param codec for bodies and replies
   * @param resolver finds where replies go
   */
  protected abstract Mailbox<String, String> open(
      String name, Codec<String> codec, MailboxResolver resolver);

  /**
   * Opens a mailbox with room for so many messages; throws {@link UnsupportedOperationException}
   * where {@link BackendFeatures#bounded()} is false.
   */
  protected abstract Mailbox<String, String> openBounded(String name, int capacity);

  /** Lets time pass for the backend, by sleeping or by moving its clock. */
  protected abstract void passTime(Duration duration);

  /** A lease or a delay that a test lets pass: a few times the backend's shortest one. */
  protected Duration shortly() {
    return Duration.ofSeconds(1);
  }

  /**
   * False for an emulator of the backend that accepts a nack or an extension after a lease's end.
   */
  protected boolean refusesLateExtensions() {
    return true;
  }

  /** Returns once a receiving thread waits for messages, or has waited and ended. */
  protected void awaitBlocked(Thread receiver) throws Exception {
    await(
        () ->
            !receiver.isAlive()
                || receiver.getState() == Thread.State.WAITING
                || receiver.getState() == Thread.State.TIMED_WAITING);
  }

  @AfterEach
  final void closeMailboxes() {
    executors.forEach(ExecutorService::shutdownNow);
    opened.forEach(Mailbox::close);
  }

  Mailbox<String, String> mailbox() {
    return mailbox(MailboxResolver.of());
  }

  Mailbox<String, String> mailbox(MailboxResolver resolver) {
    return keep(open(name(), ContractCodec.INSTANCE, resolver));
  }

  Mailbox<String, String> keep(Mailbox<String, String> mailbox) {
    opened.add(mailbox);
    return mailbox;
  }

  static String name() {
    return "contract-" + UUID.randomUUID();
  }

  ExecutorService threads(int count) {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    executors.add(threads);
    return threads;
  }

  /** A message that no other delays: where order is strict, in a group of its own. */
  Outgoing.Builder<String, Object> independent(String body) {
    Outgoing.Builder<String, Object> message = Outgoing.builder(body);
    return opened.get(0).features().ordering() == Ordering.STRICT
        ? message.group(UUID.randomUUID().toString())
        : message;
  }

  Message<String, String> held() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    return receive(mailbox);
  }

  static Message<String, String> receive(Mailbox<String, String> mailbox) {
    return receive(mailbox, LONG);
  }

  static Message<String, String> receive(Mailbox<String, String> mailbox, Duration visibility) {
    return receive(mailbox, 1, visibility).get(0);
  }

  static List<Message<String, String>> receive(Mailbox<String, String> mailbox, int count) {
    return receive(mailbox, count, LONG);
  }

  static List<Message<String, String>> receive(
      Mailbox<String, String> mailbox, int count, Duration visibility) {
    List<Message<String, String>> received = new ArrayList<>();
    await(
        () -> {
          int missing = Math.min(count - received.size(), mailbox.features().maxBatch());
          received.addAll(mailbox.receive(missing, visibility, Duration.ZERO));
          return received.size() == count;
        });
    return received;
  }

  static Set<String> bodies(List<Message<String, String>> messages) {
    Set<String> bodies = new TreeSet<>();
    messages.forEach(message -> bodies.add(message.body()));
    return bodies;
  }

  static void assertNothing(Mailbox<String, String> mailbox) {
    assertEquals(List.of(), mailbox.receive(1, LONG, Duration.ZERO));
  }

  /** The call throws, and adds nothing to the mailbox. */
  static void refused(
      Class<? extends Exception> expected, Mailbox<String, String> mailbox, Executable call) {
    assertThrows(expected, call);
    assertNothing(mailbox);
  }

  /** Waits until this many messages are there, without taking any. */
  static void settleDown(Mailbox<String, String> mailbox, int count) {
    if (mailbox.features().count() != CountAccuracy.LAGGING) {
      eventually(() -> assertEquals(count, mailbox.approximateCount()));
    }
  }

  static void eventually(Runnable assertion) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean holds = false;
    while (!holds) {
      try {
        assertion.run();
        holds = true;
      } catch (AssertionError e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  static void await(Callable<Boolean> condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!condition.call()) {
        if (System.nanoTime() - end > 0) {
          fail("not within " + PATIENCE);
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static Duration longWait(Mailbox<?, ?> mailbox) {
    Duration longest = mailbox.features().maxWait();
    return longest.compareTo(PATIENCE) < 0 ? longest : PATIENCE;
  }

  /** A thread that receives. It waits for messages by the time the constructor returns. */
  final class Receiver {
    private final CompletableFuture<List<Message<String, String>>> result =
        new CompletableFuture<>();
    final Thread thread;
    volatile boolean interrupted;

    Receiver(Mailbox<String, String> mailbox, Duration wait) throws Exception {
      thread =
          new Thread(
              () -> {
                try {
                  List<Message<String, String>> received = mailbox.receive(1, LONG, wait);
                  interrupted = Thread.currentThread().isInterrupted();
                  result.complete(received);
                } catch (RuntimeException e) {
                  result.completeExceptionally(e);
                }
              },
              "contract-receiver");
      thread.start();
      awaitBlocked(thread);
    }

    List<String> bodies() throws Exception {
      List<Message<String, String>> received =
          result.get(PATIENCE.multipliedBy(2).toSeconds(), TimeUnit.SECONDS);
      return received.stream().map(Message::body).toList();
    }
  }
}
