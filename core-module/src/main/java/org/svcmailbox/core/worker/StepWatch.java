package org.svcmailbox.core.worker;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.svcmailbox.core.worker.dispatch.GiveBack;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;

/**
 * Refuses a worker's callers while the worker waits for a silent broker or for a session. The
 * worker itself continues, so calls that it has begun may still take effect, and its session and
 * leases stay. The worker's thread reports its activity; another thread checks it ten times a
 * second.
 *
 * <p>A busy step is long too, but its worker makes progress: it calls the broker and takes message
 * after message. The watch counts checks instead of time, so that a pause of this process does not
 * look like a silent broker.
 */
final class StepWatch {
  /** Checks in a row that find the worker at the same place of its step: two seconds. */
  static final int STILL_LOOKS = 20;

  /**
   * Checks after which a step counts as long, so that others end waits whose time is over. While
   * the worker opens its session, its callers are then refused, as without a session.
   */
  static final int LONG_LOOKS = 2;

  private final Inbox<Command> inbox;
  private final Consumer<Command> refuseQueued;
  private final Queue<GiveBack> kept = new ConcurrentLinkedQueue<>();

  /** Odd during a step. Only the worker writes it. */
  private volatile long steps;

  private volatile boolean opening;
  private volatile boolean stalled;
  private long seenStep;
  private int stepLooks;
  private long seenMoves;
  private int stillLooks;

  /**
   * @param refuseQueued refuses a command that the worker has not taken; any thread
   */
  StepWatch(Inbox<Command> inbox, Consumer<Command> refuseQueued) {
    this.inbox = inbox;
    this.refuseQueued = refuseQueued;
  }

  /** Called when a step begins. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void begun() {
    steps++;
  }

  /** Called when the worker begins to open its session. */
  void opening() {
    opening = true;
  }

  /** Called when the worker has its session. */
  void opened() {
    opening = false;
  }

  /** Called when the step has ended. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void ended() {
    opening = false;
    steps++;
    if (stalled) {
      resume();
    }
  }

  /** Whether callers are refused because the worker waits. Any thread. */
  boolean isStalled() {
    return stalled;
  }

  /**
   * Checks once, on another thread than the worker's.
   *
   * @param moves the worker's count of moves
   * @param refuseOwed refuses the commands that the worker has taken, and may be about to answer
   * @return whether the worker's step is long
   */
  boolean look(long moves, Runnable refuseOwed) {
    long now = steps;
    stepLooks = now == seenStep && now % 2 != 0 ? stepLooks + 1 : 0;
    stillLooks = moves == seenMoves ? Math.min(stillLooks + 1, stepLooks) : 0;
    seenStep = now;
    seenMoves = moves;
    boolean isLong = stepLooks >= LONG_LOOKS;
    if (opening ? isLong : stillLooks >= STILL_LOOKS) {
      refuse(now, refuseOwed);
    }
    return isLong;
  }

  private void refuse(long now, Runnable refuseOwed) {
    stalled = true;
    refuseOwed.run();
    inbox.divert(this::refuse);
    if (steps != now) {
      // The step has ended meanwhile, and may have missed that it was stalled.
      resume();
    }
  }

  private void refuse(Command command) {
    if (command instanceof GiveBack unread) {
      keep(unread);
    } else {
      refuseQueued.accept(command);
    }
  }

  /** Keeps leases that no client got. Dropped, they would last until their deadlines. */
  private void keep(GiveBack unread) {
    kept.add(unread);
    if (!stalled) {
      giveBack();
    }
  }

  private void resume() {
    stalled = false;
    inbox.endDiversion();
    giveBack();
  }

  private void giveBack() {
    GiveBack unread;
    while ((unread = kept.poll()) != null) {
      inbox.offerAlways(unread);
    }
  }
}
