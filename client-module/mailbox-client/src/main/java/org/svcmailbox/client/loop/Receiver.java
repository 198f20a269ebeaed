package org.svcmailbox.client.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Message;

/**
 * The thread that receives: for idle workers only, until the loop stops or fails, or the mailbox is
 * closed.
 */
final class Receiver<T, R> implements Runnable {
  private static final Logger LOG = System.getLogger(MainLoop.class.getName());
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  /** Short enough that work begins soon after the backend is back. */
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

  private static final int MAX_DOUBLINGS = 3;

  /**
   * The pause while other consumers hold as many messages as the mailbox allows. This is not a
   * failure: a message may be settled at any moment.
   */
  private static final Duration FULL_PAUSE = Duration.ofMillis(100);

  private final Mailbox<T, R> mailbox;
  private final LoopSettings settings;
  private final LoopState<T, R> state;
  private final LeaseKeeper<T, R> leases;
  private final Processor<T, R> processor;
  private final LoopStop<T, R> stop;
  private final LoopSupervisor<T, R> supervisor;
  private final Listeners listeners;
  private final int batch;

  Receiver(
      Mailbox<T, R> mailbox,
      LoopSettings settings,
      LoopState<T, R> state,
      LeaseKeeper<T, R> leases,
      Processor<T, R> processor,
      LoopStop<T, R> stop,
      LoopSupervisor<T, R> supervisor,
      Listeners listeners) {
    this.mailbox = mailbox;
    this.settings = settings;
    this.state = state;
    this.leases = leases;
    this.processor = processor;
    this.stop = stop;
    this.supervisor = supervisor;
    this.listeners = listeners;
    this.batch = settings.ordered() ? 1 : mailbox.features().maxBatch();
  }

  @Override
  public void run() {
    state.beginReceiving();
    boolean open = true;
    try {
      open = receiveWhileOpen();
    } catch (RuntimeException | Error e) {
      supervisor.failed(e);
    } finally {
      state.endReceiving();
      if (!open || state.failure() != null) {
        stop.endWork();
      }
    }
  }

  /** False if the mailbox was closed. */
  private boolean receiveWhileOpen() {
    Outage outage = new Outage(LoopSupervisor.name(mailbox), settings.clock());
    for (int idle = state.awaitIdle(); idle > 0; idle = state.awaitIdle()) {
      try {
        List<Message<T, R>> received = receive(Math.min(idle, batch), outage.isOn());
        noteAnswer(outage, received.size());
        received.forEach(this::accept);
      } catch (MailboxFullException e) {
        LOG.log(Level.DEBUG, "{0}: {1}", LoopSupervisor.name(mailbox), e.getMessage());
        noteAnswer(outage, 0);
        state.pauseWhileRunning(FULL_PAUSE);
      } catch (MailboxClosedException e) {
        return false;
      } catch (RuntimeException | OutOfMemoryError e) {
        int failures = outage.failed(e);
        listeners.receiveFailed(e);
        state.pauseWhileRunning(pause(failures, ThreadLocalRandom.current().nextDouble()));
      }
    }
    return true;
  }

  /**
   * After a failure the receive does not wait for a message, so that the end of an outage shows at
   * once.
   */
  private List<Message<T, R>> receive(int most, boolean afterFailure) {
    return mailbox.receive(
        most, settings.visibility(), afterFailure ? Duration.ZERO : settings.receiveWait());
  }

  private void noteAnswer(Outage outage, int messages) {
    outage.over();
    listeners.received(messages);
  }

  private void accept(Message<T, R> message) {
    HandledMessage<T, R> job =
        new HandledMessage<>(
            message, settings.visibility(), settings.maxExecution(), settings.clock());
    if (state.add(job)) {
      leases.wakeFor(job);
    } else {
      listeners.ended(processor.giveBack(message), Duration.ZERO);
    }
  }

  /**
   * The pause after failures in a row: a random time between half and all of a limit that doubles
   * with each failure.
   *
   * @param random from 0 to 1, spreads the receives of many workers
   */
  static Duration pause(int failures, double random) {
    Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
    Duration longest = doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE;
    return Duration.ofNanos((long) (longest.toNanos() * (1 + random) / 2));
  }
}
