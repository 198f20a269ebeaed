package org.svcmailbox.console.signin;

import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rate.AddressBlock;

/**
 * Limits sign-in attempts with exponential backoff, per user and address and per address. Other
 * addresses are not affected, so an attacker cannot lock a user out. Attempts count when they
 * start, so concurrency does not evade the limit. Least recently used counts are evicted. Any
 * thread.
 */
final class SignInThrottle {
  /** Attempts of one user from one address before the first wait. */
  static final int FREE_PER_USER = 5;

  /** Attempts from one address before the first wait. */
  static final int FREE_PER_ADDRESS = 25;

  static final Duration MAX_WAIT = Duration.ofMinutes(1);

  /** Counts reset after this time without an attempt. */
  static final Duration RESET_AFTER = Duration.ofMinutes(15);

  private static final int MAX_COUNTS = 10_000;

  private final LongSupplier nanos;

  private final Map<String, Count> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Count> eldest) {
          return size() > MAX_COUNTS;
        }
      };

  private record Count(int attempts, long last) {}

  /**
   * Creates an empty throttle.
   *
   * @param nanos a monotonic clock
   */
  SignInThrottle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Counts an attempt, unless it must wait.
   *
   * @return the remaining wait; empty if the attempt may proceed
   */
  synchronized Optional<Duration> begin(@Nullable InetAddress address, String user) {
    String network = network(address);
    String userKey = userKey(network, user);
    Duration wait = wait(network, FREE_PER_ADDRESS);
    Duration userWait = wait(userKey, FREE_PER_USER);
    Duration longest = wait.compareTo(userWait) > 0 ? wait : userWait;
    if (longest.isZero()) {
      count(network, 1);
      count(userKey, 1);
      return Optional.empty();
    }
    return Optional.of(longest);
  }

  /** Uncounts a successful attempt and resets the user's count at this address. */
  synchronized void succeeded(@Nullable InetAddress address, String user) {
    String network = network(address);
    counts.remove(userKey(network, user));
    count(network, -1);
  }

  private Duration wait(String key, int free) {
    Count count = counts.get(key);
    if (count == null || count.attempts() < free) {
      return Duration.ZERO;
    }
    Duration since = Duration.ofNanos(nanos.getAsLong() - count.last());
    if (since.compareTo(RESET_AFTER) >= 0) {
      counts.remove(key);
      return Duration.ZERO;
    }
    int doublings = Math.min(count.attempts() - free, 10);
    Duration wait = Duration.ofSeconds(1L << doublings);
    Duration left = (wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait).minus(since);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private void count(String key, int change) {
    Count previous = counts.getOrDefault(key, new Count(0, 0));
    int attempts = Math.max(0, previous.attempts() + change);
    counts.put(key, new Count(attempts, change > 0 ? nanos.getAsLong() : previous.last()));
  }

  private static String userKey(String network, String user) {
    return network + " " + user.toLowerCase(Locale.ROOT);
  }

  private static String network(@Nullable InetAddress address) {
    return address == null ? "" : AddressBlock.clientText(address);
  }
}
