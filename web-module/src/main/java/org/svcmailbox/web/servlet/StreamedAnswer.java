package org.svcmailbox.web.servlet;

import jakarta.servlet.ServletOutputStream;

/** An answer that is written piece by piece until its writer ends it. Any thread. */
public interface StreamedAnswer {
  /**
   * The request attribute that marks a streamed answer from its first byte. Its value is a {@code
   * CompletableFuture<Void>}, whose completion closes the connection.
   */
  String ATTRIBUTE = "org.svcmailbox.stream";

  ServletOutputStream output();

  /**
   * Runs a task on a request thread.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the server is stopping
   * @throws IllegalStateException if the server has ended the answer
   */
  void execute(Runnable task);

  /** Ends the answer; the client may still read what was written. Idempotent. */
  void complete();

  /** Ends the answer and its connection, even if the client has not read everything. Idempotent. */
  void hangUp();
}
