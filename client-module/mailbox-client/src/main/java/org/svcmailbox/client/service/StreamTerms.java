package org.svcmailbox.client.service;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a stream.
 *
 * @param visibility how long its leases last; null for the topic's own
 * @param window how many messages may be unsettled; zero only for a stream that gives back
 * @param resume the stream that this one takes over; null for none
 */
public record StreamTerms(@Nullable Duration visibility, int window, @Nullable Resume resume) {
  /** The most that the service takes for {@code window_bytes}, as of one RECV. */
  public static final int WINDOW_BYTES = 8 << 20;

  /**
   * A stream that ended.
   *
   * @param stream its id
   * @param last the number of the last message that was handed out; what came after it is given
   *     back, its attempt unspent
   * @param until the moment up to which the service remembers it
   */
  public record Resume(String stream, long last, long until) {}

  /**
   * The same for a service that takes no window of zero. One message may come, whose short lease
   * ends soon.
   *
   * @return null if the window is none of zero
   */
  public @Nullable StreamTerms wider() {
    return window == 0 ? new StreamTerms(visibility, 1, resume) : null;
  }
}
