package org.svcmailbox.core.route;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Carries frames of one kind to other nodes. */
public interface PeerTransport {
  /** The longest time for a frame of calls and its answers. */
  Duration LONGEST = Duration.ofSeconds(5);

  /**
   * Sends a frame, once. It never blocks.
   *
   * @return the answer, within a bound of bytes and of time. It fails with {@link NotSentException}
   *     if the peer began nothing; after any other failure it may have done all that it was asked
   *     for
   */
  CompletionStage<byte[]> send(URI peer, byte[] frame);

  /** The peer has begun nothing. */
  final class NotSentException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With the reason for the log. */
    public NotSentException(String why) {
      super(why);
    }
  }
}
