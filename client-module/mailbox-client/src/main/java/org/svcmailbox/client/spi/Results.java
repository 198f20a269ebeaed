package org.svcmailbox.client.spi;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;

/** Waiting for the result of a call that another thread makes. */
public final class Results {
  private Results() {}

  /**
   * Waits for a result.
   *
   * @throws MailboxConnectionException {@code UNKNOWN}, if the thread is interrupted; the flag
   *     stays
   * @throws RuntimeException the failure
   */
  public static <A> A await(Future<A> result) {
    try {
      return result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MailboxConnectionException(
          "interrupted before the answer came", Outcome.UNKNOWN, e);
    }
  }
}
