package org.svcmailbox.console.signin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Backoff of sign-in attempts, on a manual clock. */
class SignInThrottleTest {
  private static final InetAddress HERE = address("192.0.2.7");
  private static final InetAddress THERE = address("192.0.2.8");

  private long nanos = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();
  private final SignInThrottle throttle = new SignInThrottle(() -> nanos);

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private static Optional<Duration> seconds(long seconds) {
    return Optional.of(Duration.ofSeconds(seconds));
  }

  private void fail(int times, InetAddress address, String user) {
    for (int i = 0; i < times; i++) {
      assertEquals(Optional.empty(), throttle.begin(address, user), "try " + i);
    }
  }

  @Test
  void theWaitDoublesAfterTheFreeAttempts() {
    fail(SignInThrottle.FREE_PER_USER, HERE, "ann");
    for (long wait : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      assertEquals(seconds(wait), throttle.begin(HERE, "ann"));
      pass(Duration.ofSeconds(wait).minusNanos(1));
      assertEquals(Optional.of(Duration.ofNanos(1)), throttle.begin(HERE, "ann"));
      pass(Duration.ofNanos(1));
      assertEquals(Optional.empty(), throttle.begin(HERE, "ann"));
    }
  }

  @Test
  void attemptsDuringAWaitDoNotExtendIt() {
    fail(SignInThrottle.FREE_PER_USER, HERE, "ann");
    for (int i = 0; i < 100; i++) {
      assertEquals(seconds(1), throttle.begin(HERE, "ann"));
    }
    pass(Duration.ofSeconds(1));
    assertEquals(Optional.empty(), throttle.begin(HERE, "ann"));
  }

  @Test
  void otherAddressesAndUsersAreNotAffected() {
    fail(SignInThrottle.FREE_PER_USER, HERE, "ann");
    assertEquals(seconds(1), throttle.begin(HERE, "ann"));
    assertEquals(Optional.empty(), throttle.begin(THERE, "ann"));
    assertEquals(Optional.empty(), throttle.begin(HERE, "bob"));
  }

  @Test
  void userNamesAreCaseInsensitive() {
    fail(SignInThrottle.FREE_PER_USER, HERE, "ann");
    assertEquals(seconds(1), throttle.begin(HERE, "ANN"));
  }

  @Test
  void anAddressIsLimitedAcrossUsers() {
    for (int i = 0; i < SignInThrottle.FREE_PER_ADDRESS; i++) {
      assertEquals(Optional.empty(), throttle.begin(HERE, "user" + i));
    }
    assertEquals(seconds(1), throttle.begin(HERE, "another"));
    assertEquals(Optional.empty(), throttle.begin(THERE, "another"));
  }

  @Test
  void anIpv6NetworkCountsAsOneAddress() {
    fail(SignInThrottle.FREE_PER_USER, address("2001:db8::1"), "ann");
    assertEquals(seconds(1), throttle.begin(address("2001:db8::2"), "ann"));
    assertEquals(Optional.empty(), throttle.begin(address("2001:db8:0:1::1"), "ann"));
  }

  @Test
  void aSuccessIsNotCounted() {
    for (int i = 0; i < 10 * SignInThrottle.FREE_PER_ADDRESS; i++) {
      assertEquals(Optional.empty(), throttle.begin(HERE, "ann"));
      throttle.succeeded(HERE, "ann");
    }
    fail(SignInThrottle.FREE_PER_USER - 1, HERE, "ann");
    assertEquals(Optional.empty(), throttle.begin(HERE, "ann"));
    throttle.succeeded(HERE, "ann");
    fail(SignInThrottle.FREE_PER_USER, HERE, "ann");
    assertEquals(seconds(1), throttle.begin(HERE, "ann"));
  }

  @Test
  void countsResetAfterAQuarterOfAnHour() {
    fail(SignInThrottle.FREE_PER_USER, HERE, "ann");
    pass(SignInThrottle.RESET_AFTER);
    fail(SignInThrottle.FREE_PER_USER, HERE, "ann");
    assertEquals(seconds(1), throttle.begin(HERE, "ann"));
  }
}
