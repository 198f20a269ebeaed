package org.svcmailbox.core.lookup;

import org.jspecify.annotations.Nullable;

/**
 * The result of a look into one place.
 *
 * @param seen null if nothing was seen
 * @param isWhole whether all of the place was seen
 */
public record Look<T>(@Nullable T seen, boolean isWhole) {
  public static <T> Look<T> of(@Nullable T seen) {
    return new Look<>(seen, true);
  }

  /** Nothing was seen in the part that was looked at. */
  public static <T> Look<T> partial() {
    return new Look<>(null, false);
  }
}
