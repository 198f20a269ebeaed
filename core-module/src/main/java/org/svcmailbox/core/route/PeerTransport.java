package org.svcmailbox.core.route;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Carries frames to other nodes. */
public interface PeerTransport {
  /** The longest time for a frame and its answer. */
  Duration LONGEST = Duration.ofSeconds(5);

  /**
   * Sends a frame of calls, once. It never blocks.
   *
   * @return the frame of answers, at most {@link PeerCodec#MOST_ANSWER_BYTES}, within {@link
   *     #LONGEST}. It fails with {@link NotSentException} if the peer began none of the calls;
   *     after any other failure it may have carried out each of them
   */
  CompletionStage<byte[]> send(URI peer, byte[] calls);

  /**
   * Asks which topics have messages, once. It never blocks.
   *
   * @return the answer, at most {@link ReadyCodec#MOST_BYTES}, within {@link #LONGEST}
   */
  CompletionStage<byte[]> ready(URI peer, byte[] question);

  /** The peer has begun none of the calls. */
  final class NotSentException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With the reason for the log. */
    public NotSentException(String why) {
      super(why);
    }
  }
}
