package org.svcmailbox.client.drill;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;

/**
 * An application that sends singly, in batches and asynchronously, and repeats with its key what
 * failed. One thread.
 */
final class DrillSender implements Runnable {
  private static final int BYTES = 256;
  private static final int MAX_BATCH = 20;
  private static final int MAX_DELAY_MILLIS = 200;

  /** Two senders are slower than one loop, so that no backlog grows. */
  private static final Duration PAUSE = Duration.ofMillis(10);

  private static final Duration AFTER_FAILURE = Duration.ofMillis(50);

  /** Asynchronous sends without an answer; the next waits until there are fewer. */
  private static final int MAX_UNANSWERED = 200;

  private final String name;
  private final RecordedMailbox mailbox;
  private final Random random;
  private final Queue<Outgoing<byte[], Object>> failed = new ConcurrentLinkedQueue<>();
  private final Set<String> accepted = ConcurrentHashMap.newKeySet();
  private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();
  private final AtomicLong unknown = new AtomicLong();
  private volatile boolean ending;
  private long number;

  /**
   * @param name the beginning of its keys
   */
  DrillSender(String name, RecordedMailbox mailbox, Random random) {
    this.name = name;
    this.mailbox = mailbox;
    this.random = random;
  }

  /** The keys of the messages that were accepted. */
  Set<String> accepted() {
    return accepted;
  }

  /** How many sends ended with {@code UNKNOWN}. */
  long unknown() {
    return unknown.get();
  }

  /** Failures that no kill explains. */
  List<Throwable> surprises() {
    return List.copyOf(surprises);
  }

  /** Lets {@link #run} return as soon as every message is accepted. */
  void end() {
    ending = true;
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted() && !isDone()) {
      Outgoing<byte[], Object> repeated = failed.poll();
      if (repeated != null) {
        LockSupport.parkNanos(AFTER_FAILURE.toNanos());
        send(repeated);
      } else if (!ending) {
        sendNew();
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** Asks for answers first: a failure is noted before its stage counts as answered. */
  private boolean isDone() {
    return ending && mailbox.unanswered() == 0 && failed.isEmpty();
  }

  private void sendNew() {
    int dice = random.nextInt(10);
    if (dice < 4) {
      send(message());
    } else if (dice < 6) {
      sendAll();
    } else if (mailbox.unanswered() < MAX_UNANSWERED) {
      sendAsync(message());
    }
  }

  private void send(Outgoing<byte[], Object> message) {
    try {
      mailbox.send(message);
      accept(message);
    } catch (RuntimeException e) {
      fail(message, e);
    }
  }

  private void sendAll() {
    List<Outgoing<byte[], Object>> messages = new ArrayList<>();
    for (int i = 1 + random.nextInt(MAX_BATCH); i > 0; i--) {
      messages.add(message());
    }
    List<SendResult> results = mailbox.sendAll(messages);
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof SendResult.Failed refused) {
        fail(messages.get(i), refused.cause());
      } else {
        accept(messages.get(i));
      }
    }
  }

  private void sendAsync(Outgoing<byte[], Object> message) {
    mailbox.sendAsync(
        message,
        failure -> {
          if (failure == null) {
            accept(message);
          } else {
            fail(message, failure);
          }
        });
  }

  private void accept(Outgoing<byte[], Object> message) {
    accepted.add(message.key().orElseThrow());
  }

  private void fail(Outgoing<byte[], Object> message, Throwable failure) {
    if (failure instanceof MailboxConnectionException e) {
      unknown.addAndGet(e.outcome() == Outcome.UNKNOWN ? 1 : 0);
      failed.add(message);
    } else if (failure instanceof MailboxFullException) {
      failed.add(message);
    } else {
      surprises.add(failure);
    }
  }

  private Outgoing<byte[], Object> message() {
    byte[] body = new byte[BYTES];
    random.nextBytes(body);
    boolean isDelayed = random.nextInt(10) == 0;
    return RecordedMailbox.keyed(
        name + "-" + number++,
        body,
        Duration.ofMillis(isDelayed ? random.nextInt(MAX_DELAY_MILLIS) : 0));
  }
}
