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
   * @throws org.svcmailbox.core.problem.NotFoundException for a missing shard, a topic that is not
   *     created on demand, and a stream to resume that is unknown or another capability's
   * @throws org.svcmailbox.core.problem.SaturatedException if there are too many streams; the
   *     reason is {@code streams}
   * @throws org.svcmailbox.core.problem.SchemaException if the visibility is out of bounds
   * @throws org.svcmailbox.core.problem.UnavailableException while the service is stopping
   */
  OpenStream open(Caller caller, StreamRequest request, Door door, StreamOutput output);

  /** An open stream, for the door that writes it. Any thread; no method blocks or throws. */
  interface OpenStream {
    /** The id by which a client resumes the stream: 1 to 64 of {@code A-Z a-z 0-9 -}. */
    String id();

    /** The most unsettled messages. */
    int window();

    /** Reports that the output accepts more. */
    void ready();

    /** Adds credit of the client, as unsigned numbers; only where clients grant credit. */
    void credit(long messages, long bytes);

    /** Closes the stream, because the client needs no more; the output gets its end. Idempotent. */
    void close();

    /** Cuts the stream, because the client is gone; the output gets no end. Idempotent. */
    void cut();
  }
}
