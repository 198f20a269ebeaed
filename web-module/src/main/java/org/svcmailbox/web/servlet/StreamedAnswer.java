package org.svcmailbox.web.servlet;

import jakarta.servlet.ServletOutputStream;

/** An answer that is written as it comes, until its writer ends it. Any thread. */
public interface StreamedAnswer {
  /**
   * The attribute of a request whose answer lasts, from its first byte. Its value is a {@code
   * CompletableFuture<Void>}, which closes the connection.
   */
  String ATTRIBUTE = "org.svcmailbox.stream";

  ServletOutputStream output();

  /**
   * Runs a task on a thread for requests.
   *
   * @throws java.util.concurrent.RejectedExecutionException when the server is stopping
   * @throws IllegalStateException when the server has ended the answer
   */
  void execute(Runnable task);

  /** Ends the answer; the client may still read what was written. Idempotent. */
  void complete();

  /** Ends the answer and its connection, even if the client has not read everything. Idempotent. */
  void hangUp();
}
