package org.svcmailbox.client.service;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a mailbox, one after the other: when the next one is opened and with which terms,
 * when it ends, and whether another one resumes it. A pump waits here.
 *
 * @param <M> the messages
 */
public final class StreamCourse<M> {
  /** A little less than the service remembers a stream. */
  private static final Duration RESUMABLE = Duration.ofSeconds(25);

  private final StreamDesk<M> desk;
  private final StreamReceives<M> receives;
  private final Function<StreamTerms, StreamLink<M>> links;
  private final StreamPauses pauses;
  private StreamTerms.@Nullable Resume resume;

  /** How wide the next stream may be, unless one receive asks for more. */
  private int widest = StreamFeed.MAX_WINDOW;

  private long notBefore;

  StreamCourse(
      StreamDesk<M> desk, StreamReceives<M> receives, Function<StreamTerms, StreamLink<M>> links) {
    this.desk = desk;
    this.receives = receives;
    this.links = links;
    this.pauses = new StreamPauses(desk.settings.random());
    this.notBefore = desk.clock.nanoTime();
  }

  /**
   * Waits until a stream is needed.
   *
   * @return null if nobody waits for one
   */
  public @Nullable StreamLink<M> awaitDemand() throws InterruptedException {
    desk.lock.lock();
    try {
      StreamWaiter leader = receives.leader();
      long until = leader == null ? nobodyUntil() : notBefore;
      while (!desk.isClosed && !desk.clock.isPast(until)) {
        desk.clock.await(desk.lock, desk.changed, until);
        leader = receives.leader();
        until = leader == null ? nobodyUntil() : notBefore;
      }
      return desk.isClosed || leader == null ? null : begin(request(leader));
    } finally {
      desk.lock.unlock();
    }
  }

  /** A stream that can be resumed is so for the next receive, if that comes soon. */
  private long nobodyUntil() {
    return resume == null || receives.isPolling()
        ? desk.clock.nanoTime()
        : desk.lastBusy() + desk.state.patience().toNanos();
  }

  private StreamTerms request(StreamWaiter leader) {
    StreamTerms.Resume last = takeResume();
    int demand = receives.demand(leader);
    int held = last == null ? 0 : desk.state.held();
    int wanted = desk.settings.isByCredit() ? StreamFeed.MAX_WINDOW : held + demand;
    int window = Math.max(demand, Math.min(widest, wanted));
    return new StreamTerms(leader.visibility, Math.min(StreamFeed.MAX_WINDOW, window), last);
  }

  private StreamTerms.@Nullable Resume takeResume() {
    StreamTerms.Resume last = resume;
    resume = null;
    return last == null || desk.clock.isPast(last.until()) ? null : last;
  }

  private StreamLink<M> begin(StreamTerms request) {
    desk.state.begin(request);
    long now = desk.clock.nanoTime();
    StreamLink<M> begun = links.apply(request);
    begun.begun = now;
    begun.lastSign = now;
    desk.begin(begun, now);
    return begun;
  }

  /** The request that has unread messages given back; null if there is nothing to resume. */
  public @Nullable StreamTerms toGiveBack(Duration visibility) {
    desk.lock.lock();
    try {
      StreamTerms.Resume last = takeResume();
      return last == null ? null : new StreamTerms(visibility, 0, last);
    } finally {
      desk.lock.unlock();
    }
  }

  /** Waits until a stream has ended, or must be ended. */
  public StreamEnding awaitEnd(StreamLink<M> open) throws InterruptedException {
    desk.lock.lock();
    try {
      long now = desk.clock.nanoTime();
      StreamEnding ending = ending(open, now);
      while (ending == null) {
        desk.pumpDue = due(open, now);
        desk.clock.await(desk.lock, desk.changed, desk.pumpDue);
        now = desk.clock.nanoTime();
        ending = ending(open, now);
      }
      return ending;
    } finally {
      desk.lock.unlock();
    }
  }

  private @Nullable StreamEnding ending(StreamLink<M> open, long now) {
    if (!open.isOpen && open.ending == null) {
      // Without its id it could not be resumed, and what it has brought would be lost to its
      // leases.
      return now - silentAt(open) >= 0 ? StreamEnding.SILENT : null;
    }
    if (desk.isClosed || desk.state.isStale(now)) {
      return open.ending != null
          ? open.ending
          : desk.isClosed ? StreamEnding.CLOSED : StreamEnding.STALE;
    }
    StreamWaiter leader = receives.leader();
    if (open.ending != null && !isTaken(open.ending, leader)) {
      return open.ending;
    }
    if (now - silentAt(open) >= 0) {
      return StreamEnding.SILENT;
    }
    if (leader != null) {
      return receives.isMisshapen() ? StreamEnding.RESHAPED : null;
    }
    boolean isUnattended = open.ending == null && now - unattendedAt() >= 0;
    return isUnattended ? StreamEnding.UNATTENDED : null;
  }

  /**
   * Whether unread messages of a stream that ended are taken soon. After a final end nothing brings
   * them again.
   */
  private boolean isTaken(StreamEnding ending, @Nullable StreamWaiter leader) {
    boolean isAttended = leader != null && desk.state.hasLeasesOf(leader.visibility);
    return desk.state.hasUnread() && (isAttended || (ending.isFinal() && !desk.isClosed));
  }

  private long unattendedAt() {
    Duration patience =
        desk.state.mayBring() ? desk.state.patience() : desk.state.patienceWhileFull();
    return desk.lastBusy() + patience.toNanos();
  }

  private long silentAt(StreamLink<M> open) {
    return open.isOpen
        ? open.lastSign + StreamFeed.SILENCE.toNanos()
        : open.begun + desk.settings.callTimeout().toNanos();
  }

  private long due(StreamLink<M> open, long now) {
    long due = silentAt(open);
    if (desk.state.hasUnread()) {
      due = StreamDesk.earlier(due, desk.state.staleAt());
    }
    boolean isUnattended = open.ending == null && receives.leader() == null;
    return isUnattended ? StreamDesk.earlier(due, Math.max(now + 1, unattendedAt())) : due;
  }

  /**
   * A stream is over, and its desk.link cut.
   *
   * @param problem that the service ended it with; null for none
   */
  public void ended(StreamLink<M> over, StreamEnding ending, @Nullable ServiceProblem problem) {
    desk.lock.lock();
    try {
      desk.settings
          .log()
          .log(Level.DEBUG, "{0}: a stream ended: {1}", desk.settings.mailbox(), ending);
      boolean tooWide = ending == StreamEnding.STALE || ending == StreamEnding.UNATTENDED;
      widest =
          tooWide || ending == StreamEnding.RESHAPED ? StreamFeed.MAX_WINDOW : desk.state.window();
      forget(!ending.isFinal());
      notBefore = desk.clock.deadline(pauses.after(ending, over.isOpen, over.isUseful));
      switch (ending.next()) {
        case REFUSE -> refuse(problem);
        case FAIL ->
            receives.fail(Failure.unknown("a part of the stream cannot be read", over.cause));
        default -> {
          if (pauses.givesUp()) {
            receives.pollInstead(
                "nothing of a stream arrives, which something between may hold back");
          }
        }
      }
    } finally {
      desk.lock.unlock();
    }
  }

  private void forget(boolean resumes) {
    StreamTerms.Resume last = desk.state.end(desk.clock.deadline(RESUMABLE));
    resume = resumes ? last : null;
    desk.link = null;
  }

  private void refuse(@Nullable ServiceProblem problem) {
    if (problem != null && problem.status() >= 400) {
      receives.fail(
          Failure.of("the stream of " + desk.settings.mailbox(), problem.status(), problem));
    } else {
      receives.pollOnce();
    }
  }

  /** No stream was opened. The one before it can still be resumed. */
  public void notOpened(StreamLink<M> asked, Failure failure) {
    desk.lock.lock();
    try {
      forget(false);
      resume = asked.request().resume();
      receives.fail(failure);
    } finally {
      desk.lock.unlock();
    }
  }

  /** No stream was opened, for a reason that is over: the next one has the same terms. */
  public void again(StreamLink<M> asked) {
    desk.lock.lock();
    try {
      forget(false);
      resume = asked.request().resume();
    } finally {
      desk.lock.unlock();
    }
  }

  /** The service does not resume the last stream. */
  public void notResumed() {
    desk.lock.lock();
    try {
      forget(false);
    } finally {
      desk.lock.unlock();
    }
  }

  /** The service has no stream for now. */
  public void noStreams(String why) {
    desk.lock.lock();
    try {
      forget(false);
      receives.pollInstead(why);
    } finally {
      desk.lock.unlock();
    }
  }

  /** Whether the pump may end, because no receive waits. */
  public boolean endsPump() {
    return receives.endsPump();
  }

  /** The pump ended by a failure. */
  public void pumpFailed(Throwable failure) {
    desk.lock.lock();
    try {
      receives.noPump();
      forget(false);
      receives.fail(Failure.unknown("the stream failed", failure));
    } finally {
      desk.lock.unlock();
    }
  }
}
