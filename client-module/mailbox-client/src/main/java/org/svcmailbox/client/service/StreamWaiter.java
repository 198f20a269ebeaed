package org.svcmailbox.client.service;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A receive that waits for a stream. Changes under the lock of its feed. */
final class StreamWaiter {
  final int max;
  final @Nullable Duration visibility;

  /** The exception that it throws. */
  @Nullable RuntimeException failure;

  /** Whether it makes a separate request, which tells why there is no stream. */
  boolean polls;

  private boolean isHeldUp;
  private long heldUpSince;

  StreamWaiter(int max, @Nullable Duration visibility) {
    this.max = max;
    this.visibility = visibility;
  }

  boolean isActive() {
    return failure == null && !polls;
  }

  boolean wantsLeasesOf(StreamWaiter other) {
    return Objects.equals(visibility, other.visibility);
  }

  /** The stream can bring nothing now, or it can. */
  void heldUp(boolean isNow, long now) {
    heldUpSince = isNow && !isHeldUp ? now : heldUpSince;
    isHeldUp = isNow;
  }

  /** The time when it will have been held up for its patience; null if it is not held up. */
  @Nullable Long heldUpUntil(Duration patience) {
    return isHeldUp ? heldUpSince + patience.toNanos() : null;
  }
}
