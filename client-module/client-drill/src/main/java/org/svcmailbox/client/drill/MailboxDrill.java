package org.svcmailbox.client.drill;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures.DeadLetters;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.loop.DLQConfig;
import org.svcmailbox.client.loop.MainLoop;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/**
 * Senders and a worker loop on one mailbox, as an application runs them, for as long as a test
 * kills their backend. Every call goes into a history. {@link #findings} adds the faults that no
 * history shows: messages that no handler finished, and sends without an answer.
 */
public final class MailboxDrill implements AutoCloseable {
  private static final int WORKERS = 8;
  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Duration END = Duration.ofMinutes(2);
  private static final Duration REFUSED_FOR = Duration.ofMillis(50);
  private static final int MAX_DELIVERIES = 1_000;

  private final RecordedMailbox received;
  private final Duration lease;
  private final Random random;
  private final List<DrillSender> senders = new ArrayList<>();
  private final List<RecordedMailbox> sent = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Set<String> handled = ConcurrentHashMap.newKeySet();
  private @Nullable MainLoop<byte[], byte[]> loop;

  /**
   * A drill that has not begun.
   *
   * @param name begins the keys, which no other drill of the same queue may have
   * @param senders the same queue for each sender
   * @param receiver the same queue for the loop; all stay open
   * @param lease the loop's visibility; a few messages take half of it
   */
  public MailboxDrill(
      String name,
      List<? extends Mailbox<byte[], byte[]>> senders,
      Mailbox<byte[], byte[]> receiver,
      Duration lease,
      HistoryRecorder recorder,
      Random random) {
    this.received = new RecordedMailbox(receiver, recorder);
    this.lease = lease;
    this.random = random;
    for (Mailbox<byte[], byte[]> mailbox : senders) {
      RecordedMailbox recorded = new RecordedMailbox(mailbox, recorder);
      sent.add(recorded);
      this.senders.add(
          new DrillSender(name + sent.size(), recorded, new Random(random.nextLong())));
    }
  }

  /** Starts the senders and the loop. */
  public void start() {
    for (DrillSender sender : senders) {
      Thread thread = new Thread(sender, "drill-sender");
      threads.add(thread);
      thread.start();
    }
    loop =
        MainLoop.handling(received, this::handle)
            .workers(WORKERS)
            .visibility(lease)
            .receiveWait(WAIT)
            .deadLetters(
                received.features().deadLetters() == DeadLetters.NATIVE
                    ? DLQConfig.backend()
                    : DLQConfig.logAndAcknowledge(MAX_DELIVERIES))
            .start();
  }

  private byte @Nullable [] handle(Message<byte[], byte[]> message) {
    int dice = random.nextInt(1_000);
    if (message.deliveryCount() == 1 && dice < 50) {
      refuse(message);
      return null;
    }
    if (dice >= 998) {
      LockSupport.parkNanos(lease.dividedBy(2).toNanos());
    }
    handled.add(RecordedMailbox.key(message));
    return null;
  }

  /** Repeats a refusal that was lost with the backend, until the loop interrupts it. */
  private static void refuse(Message<byte[], byte[]> message) {
    while (true) {
      try {
        message.nack(REFUSED_FOR, "refused by the drill");
        return;
      } catch (MailboxConnectionException e) {
        LockSupport.parkNanos(REFUSED_FOR.toNanos());
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
  }

  /** How many messages were accepted so far. */
  public long accepted() {
    return senders.stream().mapToLong(sender -> sender.accepted().size()).sum();
  }

  /** How many sends have ended with {@code UNKNOWN}. */
  public long unknown() {
    return senders.stream().mapToLong(DrillSender::unknown).sum();
  }

  /**
   * Lets every send be answered and every message be handled, with a backend that lives, and ends
   * senders and loop.
   */
  public TopicEnd drain() throws InterruptedException {
    Deadline deadline = Deadline.in(END);
    senders.forEach(DrillSender::end);
    for (Thread thread : threads) {
      thread.join(deadline.left().toMillis() + 1);
      if (thread.isAlive()) {
        throw new AssertionError("a sender has no answer yet: " + findings());
      }
    }
    deadline.await(this::isEmpty, () -> "an empty mailbox");
    stopLoop();
    return TopicEnd.drained(received.name(), MAX_DELIVERIES, 0);
  }

  private boolean isEmpty() {
    try {
      return received.approximateCount() == 0;
    } catch (MailboxConnectionException e) {
      // A pooled connection may be from before the last kill.
      return false;
    }
  }

  private void stopLoop() {
    if (loop != null && !loop.stop(END)) {
      throw new AssertionError("the loop did not end by itself");
    }
    loop = null;
  }

  /** The faults that {@link #drain} left, other than those in the history. */
  public List<String> findings() {
    List<String> findings = new ArrayList<>();
    Set<String> unhandled = new TreeSet<>();
    for (DrillSender sender : senders) {
      unhandled.addAll(sender.accepted());
      sender.surprises().forEach(surprise -> findings.add("unexpected: " + surprise));
    }
    unhandled.removeAll(handled);
    if (!unhandled.isEmpty()) {
      findings.add("accepted, and finished by no handler: " + unhandled);
    }
    long unanswered = sent.stream().mapToLong(RecordedMailbox::unanswered).sum();
    if (unanswered > 0) {
      findings.add(unanswered + " asynchronous sends without an answer");
    }
    return findings;
  }

  /** Stops senders and loop, whatever they are doing. */
  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    try {
      for (Thread thread : threads) {
        thread.join(END.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (loop != null) {
      loop.close();
    }
  }
}
