package org.svcmailbox.client.service;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;

/**
 * The receives of a mailbox and the one stream that they wait for, in three rooms behind one lock.
 * A {@link StreamPump} opens the stream when a receive waits. It ends the stream when for a short
 * while none does and messages might come: they belong to those who ask. Receives get messages in
 * turn.
 *
 * <p>A receive polls where the stream cannot serve it: without a wait, or with leases of another
 * length than the receives before it. It polls as well while the window is full, and where the
 * service has no streams.
 *
 * @param <M> the messages
 */
public final class StreamFeed<M> {
  /**
   * A receive by a separate request.
   *
   * @param <M> the messages
   */
  public interface Poll<M> {
    /** Receives, as {@link StreamFeed#receive}. */
    List<M> receive(int max, @Nullable Duration visibility, Duration wait)
        throws InterruptedException;
  }

  /**
   * The way to the service.
   *
   * @param <M> the messages
   */
  public interface Door<M> {
    /** A stream of these terms, which the pump then asks for. Runs under the lock of the feed. */
    StreamLink<M> link(StreamFeed<M> feed, StreamTerms request);

    /** Runs a pump of this feed on its own thread. */
    void startPump(StreamFeed<M> feed);
  }

  /**
   * The settings of a feed.
   *
   * @param log gets a line when receives poll instead
   * @param largest the most bytes of one message
   * @param isByCredit whether a message comes only for credit that was granted
   * @param random from 0 to 1, spreads the streams of many clients
   * @param <M> the messages
   */
  public record Settings<M>(
      Logger log,
      String mailbox,
      MessageView<M> messages,
      int largest,
      boolean isByCredit,
      Duration callTimeout,
      MailboxClock clock,
      DoubleSupplier random) {}

  /** Three heartbeats of the service. */
  public static final Duration SILENCE = Duration.ofSeconds(30);

  /** The most unsettled messages of a stream. */
  static final int MAX_WINDOW = 1_000;

  private final StreamReceives<M> receives;
  private final StreamArrivals<M> arrivals;
  private final StreamCourse<M> course;

  /** A feed without a stream. */
  public StreamFeed(Settings<M> settings, Poll<M> poll, Door<M> door) {
    StreamDesk<M> desk = new StreamDesk<>(settings);
    receives = new StreamReceives<>(desk, poll, () -> door.startPump(this));
    arrivals = new StreamArrivals<>(desk, receives);
    course = new StreamCourse<>(desk, receives, request -> door.link(this, request));
  }

  /**
   * Receives.
   *
   * @param visibility how long the leases last; null for the topic's own
   * @return nothing when the wait is over or the feed closes
   * @throws InterruptedException if the thread is interrupted; it has taken no message then
   */
  public List<M> receive(int max, @Nullable Duration visibility, Duration wait)
      throws InterruptedException {
    return receives.receive(max, visibility, wait);
  }

  /** A message is settled, or its lease is lost. */
  public void settled(String receipt) {
    receives.settled(receipt);
  }

  /** Ends receives. The pump gives back what nobody took. */
  public void close() {
    receives.close();
  }

  /** The link's side. */
  public StreamArrivals<M> arrivals() {
    return arrivals;
  }

  /** The pump's side. */
  public StreamCourse<M> course() {
    return course;
  }
}
