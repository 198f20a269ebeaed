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
import org.svcmailbox.core.rendezvous.RendezvousDoor;
import org.svcmailbox.core.settings.RendezvousSettings;
import org.svcmailbox.core.settings.RendezvousSettings.AuthMode;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Turns;
import org.svcmailbox.ejb.capability.OwnersFile;

/**
 * The door from its opening to its end, with the thread that ticks it and the one that removes
 * tokens. Any thread.
 */
final class RunningDoor {
  static final String TICKER = "mailbox-rendezvous";
  static final String PURGER = "mailbox-tokens";

  private static final Logger LOG = System.getLogger(RunningDoor.class.getName());
  private static final Duration LOOK = Duration.ofMillis(10);
  private static final Duration LAST_TURN = Duration.ofSeconds(1);

  /**
   * Time as the drain sees it.
   *
   * @param nanos a monotonic clock
   * @param pause waits for so many nanoseconds, or less
   */
  record Time(LongSupplier nanos, LongConsumer pause) {}

  private final RendezvousDoor door;
  private final Duration timeout;
  private final Time time;
  private final List<SupervisedThread> running;
  private final AtomicBoolean drained = new AtomicBoolean();

  /**
   * Starts to tick and to purge.
   *
   * @param timeout how long a drain may take
   * @param tasks counts the lives of the threads
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

  /** Apart from the ticks, which must not wait for the database. */
  private long purge() {
    door.purge();
    return RendezvousDoor.PURGE_INTERVAL.toNanos();
  }

  /** Leaves the token that this start made where only its owner finds it. */
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

  /** Says so when anybody may come in. */
  static void warn(RendezvousSettings settings) {
    if (settings.auth().mode() == AuthMode.DISABLED) {
      LOG.log(
          Level.WARNING,
          "The rendezvous door at {0} is open to everyone: mailbox.rendezvous.auth_mode is disabled",
          settings.listener().address());
    }
  }

  /**
   * Refuses what is new, waits until every mailbox is empty or the timeout has passed, and closes.
   * Done once.
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
