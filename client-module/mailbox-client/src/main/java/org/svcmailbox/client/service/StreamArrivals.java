package org.svcmailbox.client.service;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The signs that a stream brings. A link gives them in order, on any thread; those of an earlier
 * stream have no effect.
 *
 * @param <M> the messages
 */
public final class StreamArrivals<M> {
  /**
   * A sign of a stream.
   *
   * @param <M> the messages
   */
  public sealed interface Sign<M> {}

  /** The first one: the stream's id. */
  public record Opened<M>(String stream) implements Sign<M> {}

  /**
   * A message.
   *
   * @param n greater than that of the message before
   */
  public record Arrived<M>(long n, M message) implements Sign<M> {}

  /**
   * Nothing but that the stream is alive.
   *
   * @param unsettled how many messages the service counts as unsettled; null if it does not say
   */
  public record Alive<M>(@Nullable Integer unsettled) implements Sign<M> {}

  /** The last one: why the service ends the stream. */
  public record Ended<M>(StreamEnding ending) implements Sign<M> {}

  private final StreamDesk<M> desk;
  private final StreamReceives<M> receives;

  StreamArrivals(StreamDesk<M> desk, StreamReceives<M> receives) {
    this.desk = desk;
    this.receives = receives;
  }

  /**
   * Takes signs.
   *
   * @param failure what came behind them and cannot be read; null for nothing
   * @return whether more may come now; else {@link StreamLink#more} says so later
   */
  public boolean arrived(
      StreamLink<M> from, List<? extends Sign<M>> signs, @Nullable IOException failure) {
    desk.lock.lock();
    try {
      if (from != desk.link) {
        return false;
      }
      boolean wasOpen = from.isOpen;
      note(from, signs, failure);
      from.lastSign = desk.clock.nanoTime();
      if (!wasOpen) {
        receives.grant();
        desk.changed.signal();
      }
      desk.arrived.signalAll();
      if (receives.leader() == null) {
        desk.wakePumpBy(from.lastSign + desk.state.patience().toNanos());
      }
      return from.ending == null && desk.state.wantsMore();
    } finally {
      desk.lock.unlock();
    }
  }

  private void note(
      StreamLink<M> from, List<? extends Sign<M>> signs, @Nullable IOException failure) {
    try {
      for (Sign<M> sign : signs) {
        note(from, sign);
      }
      if (failure != null) {
        throw failure;
      }
    } catch (IOException e) {
      end(from, StreamEnding.UNREADABLE, e);
    }
  }

  private void note(StreamLink<M> from, Sign<M> sign) throws IOException {
    if (from.ending != null) {
      return;
    }
    if (sign instanceof Opened<M> opened) {
      desk.state.opened(opened.stream());
      from.isOpen = true;
    } else if (sign instanceof Arrived<M> arrived) {
      desk.state.add(arrived.n(), arrived.message(), desk.clock.nanoTime());
      from.isUseful = true;
    } else if (sign instanceof Alive<M> alive) {
      from.isUseful = true;
      if (alive.unsettled() != null) {
        desk.state.unsettled(alive.unsettled());
      }
    } else if (sign instanceof Ended<M> ended) {
      end(from, ended.ending(), null);
    }
  }

  /** Nothing more comes. */
  public void over(StreamLink<M> from, StreamEnding ending, @Nullable Throwable cause) {
    desk.lock.lock();
    try {
      end(from, ending, cause);
    } finally {
      desk.lock.unlock();
    }
  }

  private void end(StreamLink<M> from, StreamEnding ending, @Nullable Throwable cause) {
    if (from.ending == null) {
      from.ending = ending;
      from.cause = cause;
      desk.changed.signal();
    }
  }
}
