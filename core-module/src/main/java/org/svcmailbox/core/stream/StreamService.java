package org.svcmailbox.core.stream;

import org.svcmailbox.core.capability.Caller;

/** Opens streams of received messages. Any thread. */
public interface StreamService {
  /** The doors that write streams. */
  enum Door {
    HTTP,
    /** Its clients grant credit. */
    GRPC
  }

  /**
   * Opens a stream. Needs the right to {@code recv}, and to {@code nack} if the end of the stream
   * is to nack. The stream writes nothing before its first {@link OpenStream#ready}.
   *
   * @throws org.svcmailbox.core.capability.DeniedException without these rights
   * @throws org.svcmailbox.core.problem.NotFoundException for a missing shard, or topic not made on
   *     demand, and for a stream to resume that is not known, or is another capability's
   * @throws org.svcmailbox.core.problem.SaturatedException with too many streams, reason {@code
   *     streams}
   * @throws org.svcmailbox.core.problem.SchemaException when the visibility is out of bounds
   * @throws org.svcmailbox.core.problem.UnavailableException while the service is stopping
   */
  OpenStream open(Caller caller, StreamRequest request, Door door, StreamOutput output);

  /** An open stream for the door that drives it. Any thread; no method blocks or throws. */
  interface OpenStream {
    /** The id by which a client resumes the stream: 1 to 64 of {@code A-Z a-z 0-9 -}. */
    String id();

    /** The most unsettled messages. */
    int window();

    /** The output can take more. */
    void ready();

    /** The client asks for more, unsigned; only where clients grant credit. */
    void credit(long messages, long bytes);

    /** The client needs no more: the output gets its end. Idempotent. */
    void close();

    /** The client is gone, without an end of the stream. Idempotent. */
    void cut();
  }
}
