package org.svcmailbox.ejb.rendezvous;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.rendezvous.door.RendezvousDoor;
import org.svcmailbox.core.settings.RendezvousSettings;
import org.svcmailbox.core.settings.RendezvousSettings.AuthMode;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Turns;
import org.svcmailbox.ejb.capability.OwnersFile;

/** An open rendezvous service with its threads, which tick and purge it. Any thread. */
final class RunningDoor {
  static final String TICKER = "mailbox-rendezvous";
  static final String PURGER = "mailbox-tokens";

  private static final Logger LOG = System.getLogger(RunningDoor.class.getName());
  private static final Duration LOOK = Duration.ofMillis(10);
  private static final Duration LAST_TURN = Duration.ofSeconds(1);

  /** The drain's time; {@code pause} waits for at most the given nanoseconds. */
  record Time(LongSupplier nanos, LongConsumer pause) {}

  private final RendezvousDoor door;
  private final Duration timeout;
  private final Time time;
  private final List<SupervisedThread> running;
  private final AtomicBoolean drained = new AtomicBoolean();

  /**
   * @param timeout the longest drain
   * @param tasks counts starts and ends of the threads
   */
  RunningDoor(
      RendezvousDoor door,
      Duration timeout,
      Time time,
      Supervision supervision,
      Tasks tasks,
      ThreadFactory threads) {
    this.door = door;
    this.timeout = timeout;
    this.time = time;
    this.running =
        List.of(
            supervision.start(TICKER, tasks, threads, new Turns(this::tick)),
            supervision.start(PURGER, tasks, threads, new Turns(this::purge)));
  }

  private long tick() {
    door.step();
    return RendezvousDoor.TICK.toNanos();
  }

  /** A thread of its own: ticks must not wait for the database. */
  private long purge() {
    door.purge();
    return RendezvousDoor.PURGE_INTERVAL.toNanos();
  }

  /** Stores the token of a first start where only its owner can read it. */
  static void provideToken(Optional<String> token, OwnersFile file) {
    token.ifPresent(
        fresh -> {
          write(fresh, file);
          LOG.log(Level.INFO, "The rendezvous door''s first token is in {0}", file.path());
        });
  }

  private static void write(String token, OwnersFile file) {
    try {
      file.write(token);
    } catch (IOException e) {
      throw new UncheckedIOException("The rendezvous door's token in " + file.path(), e);
    }
  }

  /** Warns when the service needs no token. */
  static void warn(RendezvousSettings settings) {
    if (settings.auth().mode() == AuthMode.DISABLED) {
      LOG.log(
          Level.WARNING,
          "The rendezvous door at {0} is open to everyone: mailbox.rendezvous.auth_mode is disabled",
          settings.listener().address());
    }
  }

  /**
   * Refuses new messages, waits until the mailboxes are empty or the timeout is over, and closes.
   * Idempotent.
   */
  void drain() {
    if (drained.compareAndSet(false, true)) {
      long until = time.nanos().getAsLong() + timeout.toNanos();
      door.drain();
      while (door.remaining() > 0 && until - time.nanos().getAsLong() > 0) {
        time.pause().accept(LOOK.toNanos());
      }
      door.close();
      running.forEach(SupervisedThread::tellToEnd);
      running.forEach(thread -> thread.end(LAST_TURN));
    }
  }
}
