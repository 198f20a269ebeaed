package org.svcmailbox.core.stream;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;

/**
 * The client's side of a stream. Its methods are called one at a time, under a lock, and must
 * neither block nor throw. It reports failures by {@link StreamService.OpenStream#cut}, and that it
 * is ready again by {@link StreamService.OpenStream#ready}.
 */
public interface StreamOutput {
  /**
   * Runs a turn of the stream soon, on a thread that may write to the output. Threads of the
   * service call this, because they must not write themselves. Any thread.
   */
  void run(Runnable turn);

  /** Whether it can take another message now, because all earlier ones are on their way. */
  boolean isReady();

  /**
   * Whether the messages that it took are on their way, so that the next ones may be asked for. An
   * output that is not free says {@link StreamService.OpenStream#ready} when it is.
   */
  default boolean isFree() {
    return isReady();
  }

  /** Whether all outputs together may hold another message; asked again a moment later if not. */
  default boolean hasRoom() {
    return true;
  }

  /**
   * Writes a message. Only called while ready.
   *
   * @param number from 1; a stream that resumes another one continues after its {@code last}
   */
  void message(long number, LeasedMessage message);

  /**
   * Writes a heartbeat. Only called while ready.
   *
   * @param unsettled messages in the window
   * @param paused the reason why the stream leases nothing; null if it can lease
   */
  void heartbeat(int unsettled, @Nullable Pause paused);

  /**
   * Ends the stream; the last call. The output first writes its pending messages, unless the end is
   * {@link StreamEnd#SLOW}.
   *
   * @param why the problem of {@link StreamEnd#ERROR} and {@link StreamEnd#CAPABILITY}; else null
   */
  void end(StreamEnd end, @Nullable Refusal why);
}
