package org.svcmailbox.client.service;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;

/**
 * The receives that wait for the stream: how much they ask for together, which is next, and which
 * poll instead. The other rooms call under the lock of the desk.
 *
 * @param <M> the messages
 */
final class StreamReceives<M> {
  /** How long receives poll where the service has no stream for them. */
  private static final Duration POLLING = Duration.ofMinutes(1);

  /** How long one poll takes while the stream is full or has other leases. */
  private static final Duration TURN = Duration.ofSeconds(1);

  /** How long a receive waits for room in the window. */
  private static final Duration ROOM_PATIENCE = Duration.ofMillis(250);

  private final StreamDesk<M> desk;
  private final StreamFeed.Poll<M> poll;
  private final Runnable startPump;
  private final Set<StreamWaiter> waiting = new LinkedHashSet<>();
  private long pollsUntil;
  private boolean isPumping;
  private boolean isWarned;
  private @Nullable String warning;

  StreamReceives(StreamDesk<M> desk, StreamFeed.Poll<M> poll, Runnable startPump) {
    this.desk = desk;
    this.poll = poll;
    this.startPump = startPump;
    this.pollsUntil = desk.clock.nanoTime();
  }

  List<M> receive(int max, @Nullable Duration visibility, Duration wait)
      throws InterruptedException {
    if (wait.isZero()) {
      List<M> ready = ready(max, visibility);
      return ready.isEmpty() ? poll.receive(max, visibility, wait) : ready;
    }
    long end = desk.clock.deadline(wait);
    while (true) {
      Turn<M> turn = await(new StreamWaiter(max, visibility), end);
      if (turn.poll() == null) {
        return turn.messages();
      }
      warn(takeWarning());
      List<M> polled = poll.receive(max, visibility, shorter(turn.poll(), left(end)));
      if (!polled.isEmpty() || desk.clock.isPast(end)) {
        return polled;
      }
    }
  }

  /**
   * The outcome of waiting for the stream.
   *
   * @param poll how long to poll instead; null for not at all
   */
  private record Turn<M>(List<M> messages, @Nullable Duration poll) {}

  private List<M> ready(int max, @Nullable Duration visibility) {
    desk.lock.lock();
    try {
      return desk.state.hasLeasesOf(visibility) ? take(max) : List.of();
    } finally {
      desk.lock.unlock();
    }
  }

  private List<M> take(int max) {
    List<M> taken = desk.state.take(max, desk.clock.nanoTime());
    if (!taken.isEmpty() && desk.link != null) {
      desk.link.more();
    }
    return taken;
  }

  private Turn<M> await(StreamWaiter waiter, long end) throws InterruptedException {
    desk.lock.lockInterruptibly();
    try {
      waiting.add(waiter);
      ensurePump();
      grant();
      Turn<M> turn = turn(waiter, end);
      while (turn == null) {
        Long heldUp = waiter.heldUpUntil(ROOM_PATIENCE);
        desk.clock.await(
            desk.lock, desk.arrived, heldUp == null ? end : StreamDesk.earlier(end, heldUp));
        turn = turn(waiter, end);
      }
      return turn;
    } finally {
      waiting.remove(waiter);
      desk.arrived.signalAll();
      desk.busy();
      desk.lock.unlock();
    }
  }

  /** Null while there is nothing but to wait. */
  private @Nullable Turn<M> turn(StreamWaiter waiter, long end) {
    if (desk.isClosed) {
      return new Turn<>(List.of(), null);
    }
    if (waiter.failure != null) {
      throw waiter.failure;
    }
    List<M> taken = isFirst(waiter) ? take(waiter.max) : List.of();
    if (!taken.isEmpty() || desk.clock.isPast(end)) {
      return new Turn<>(taken, null);
    }
    Duration polls = polls(waiter, desk.clock.nanoTime());
    return polls == null ? null : new Turn<>(taken, polls);
  }

  private boolean isFirst(StreamWaiter waiter) {
    return desk.state.hasLeasesOf(waiter.visibility) && leader() == waiter;
  }

  private @Nullable Duration polls(StreamWaiter waiter, long now) {
    if (waiter.polls || isPolling()) {
      return MailboxClock.FOREVER;
    }
    StreamWaiter leader = leader();
    if (leader != null && !leader.wantsLeasesOf(waiter)) {
      return TURN;
    }
    waiter.heldUp(desk.link != null && !desk.state.hasUnread() && desk.state.isFull(), now);
    Long until = waiter.heldUpUntil(ROOM_PATIENCE);
    return until != null && desk.clock.isPast(until) ? TURN : null;
  }

  /** The first receive that waits for a stream decides what it is like. */
  @Nullable StreamWaiter leader() {
    return isPolling() ? null : waiters().findFirst().orElse(null);
  }

  Stream<StreamWaiter> waiters() {
    return waiting.stream().filter(StreamWaiter::isActive);
  }

  boolean isPolling() {
    return !desk.clock.isPast(pollsUntil);
  }

  /** How many messages the receives that wait together ask for. */
  int demand(StreamWaiter leader) {
    return waiters()
        .filter(leader::wantsLeasesOf)
        .mapToInt(waiter -> waiter.max)
        .reduce(0, (sum, max) -> Math.min(StreamFeed.MAX_WINDOW, sum + max));
  }

  private void ensurePump() {
    if (!isPumping && !desk.isClosed && !isPolling()) {
      startPump.run();
      isPumping = true;
    }
    if (desk.link == null || isMisshapen()) {
      desk.changed.signal();
    }
  }

  /** Whether the receives that wait want another stream than there is. */
  boolean isMisshapen() {
    StreamWaiter leader = leader();
    return leader != null
        && (!desk.state.hasLeasesOf(leader.visibility) || desk.state.isTooNarrow(demand(leader)));
  }

  /** A message is settled, or its lease is lost. */
  void settled(String receipt) {
    desk.lock.lock();
    try {
      if (desk.state.settled(receipt)) {
        desk.busy();
      }
    } finally {
      desk.lock.unlock();
    }
  }

  /** Ends receives. The pump gives back what nobody took. */
  void close() {
    desk.lock.lock();
    try {
      desk.isClosed = true;
      desk.arrived.signalAll();
      desk.changed.signal();
    } finally {
      desk.lock.unlock();
    }
  }

  /** Grants what receives that wait ask for. */
  void grant() {
    StreamLink<M> link = desk.link;
    StreamWaiter leader = leader();
    if (link == null || !link.isOpen || link.ending != null || leader == null) {
      return;
    }
    int more = desk.state.hasLeasesOf(leader.visibility) ? desk.state.grant(demand(leader)) : 0;
    if (more > 0) {
      link.grant(more);
    }
  }

  /** Receives that wait make a request of their own, which tells why there is no stream. */
  void pollOnce() {
    waiters().toList().forEach(waiter -> waiter.polls = true);
    desk.arrived.signalAll();
  }

  void pollInstead(String why) {
    pollsUntil = desk.clock.deadline(POLLING);
    if (!isWarned) {
      isWarned = true;
      warning = why;
    }
    desk.arrived.signalAll();
  }

  /** Says once, and on a thread that receives, why there is no stream. */
  private void warn(@Nullable String why) {
    if (why != null) {
      desk.settings
          .log()
          .log(
              Level.WARNING,
              "{0}: receives are requests instead of a stream: {1}",
              desk.settings.mailbox(),
              why);
    }
  }

  private @Nullable String takeWarning() {
    desk.lock.lock();
    try {
      String why = warning;
      warning = null;
      return why;
    } finally {
      desk.lock.unlock();
    }
  }

  void fail(Failure failure) {
    waiters().toList().forEach(waiter -> waiter.failure = failure.cause());
    desk.arrived.signalAll();
  }

  /** Whether the pump may end: nobody waits. */
  boolean endsPump() {
    desk.lock.lock();
    try {
      isPumping = !desk.isClosed && leader() != null;
      return !isPumping;
    } finally {
      desk.lock.unlock();
    }
  }

  /** The pump has ended by a failure. */
  void noPump() {
    isPumping = false;
  }

  private Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - desk.clock.nanoTime()));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
