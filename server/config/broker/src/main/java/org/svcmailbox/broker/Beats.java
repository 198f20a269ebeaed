package org.svcmailbox.broker;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides from what a file says, time after time, whether somebody else still writes it. A file
 * that was there before, and has not changed since, says nothing: its writer may be gone. One
 * thread.
 */
final class Beats {
  private final long patience;
  private @Nullable String last;
  private boolean isChanging;
  private boolean isKnown;
  private long changedAt;

  /**
   * @param patience how long the file may stay as it is
   */
  Beats(Duration patience) {
    this.patience = patience.toNanos();
  }

  /**
   * Takes the next look.
   *
   * @param content what the file says; null without a file
   * @param now in nanoseconds, from any origin
   * @return whether its writer is alive
   */
  boolean next(@Nullable String content, long now) {
    if (content == null) {
      isChanging = false;
    } else if (isKnown && !content.equals(last)) {
      isChanging = true;
      changedAt = now;
    } else if (isChanging && now - changedAt >= patience) {
      isChanging = false;
    }
    isKnown = true;
    last = content;
    return isChanging;
  }
}
