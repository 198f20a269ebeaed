package org.svcmailbox.console.signin;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How often somebody may try to sign in: a few times at once, and after that ever more seldom,
 * counted for a user at an address and for an address with whatever users. Nobody is locked out by
 * what others do elsewhere. A try counts when it begins, so that many at once are no way around.
 * Bounded: what was touched least lately is forgotten. Any thread.
 */
final class Tries {
  /** What a user at an address, and an address, may try before they wait. */
  static final int FREE_OF_USER = 5;

  static final int FREE_OF_ADDRESS = 25;

  /** The longest wait between two tries. */
  static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  /** After so long without a try it is as if there had been none. */
  static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(15);

  private static final int MOST = 10_000;

  /** Of an IPv6 address, what one client has to itself. */
  private static final int NETWORK_BYTES = 8;

  private final LongSupplier nanos;

  private final Map<String, Count> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Count> eldest) {
          return size() > MOST;
        }
      };

  /** Tries of one, the last of them at {@code last}. */
  private record Count(int tries, long last) {}

  /**
   * None yet.
   *
   * @param nanos a monotonic clock
   */
  Tries(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Counts a try, if it may be made now.
   *
   * @return how long it has to wait; empty when it may be made
   */
  synchronized Optional<Duration> begin(@Nullable InetAddress address, String user) {
    String network = network(address);
    String person = person(network, user);
    Duration wait = wait(network, FREE_OF_ADDRESS);
    Duration ofUser = wait(person, FREE_OF_USER);
    Duration longer = wait.compareTo(ofUser) > 0 ? wait : ofUser;
    if (longer.isZero()) {
      count(network, 1);
      count(person, 1);
      return Optional.empty();
    }
    return Optional.of(longer);
  }

  /** The try was good: it is none, and the user's earlier ones at this address are forgotten. */
  synchronized void succeeded(@Nullable InetAddress address, String user) {
    String network = network(address);
    counts.remove(person(network, user));
    count(network, -1);
  }

  private Duration wait(String whose, int free) {
    Count count = counts.get(whose);
    if (count == null || count.tries() < free) {
      return Duration.ZERO;
    }
    Duration since = Duration.ofNanos(nanos.getAsLong() - count.last());
    if (since.compareTo(FORGOTTEN_AFTER) >= 0) {
      counts.remove(whose);
      return Duration.ZERO;
    }
    int doublings = Math.min(count.tries() - free, 10);
    Duration wait = Duration.ofSeconds(1L << doublings);
    Duration left = (wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait).minus(since);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private void count(String whose, int change) {
    Count before = counts.getOrDefault(whose, new Count(0, 0));
    int tries = Math.max(0, before.tries() + change);
    counts.put(whose, new Count(tries, change > 0 ? nanos.getAsLong() : before.last()));
  }

  private static String person(String network, String user) {
    return network + " " + user.toLowerCase(Locale.ROOT);
  }

  private static String network(@Nullable InetAddress address) {
    if (address == null) {
      return "";
    }
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}
