package org.svcmailbox.console.signin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How often one may try to sign in, on a clock that a test moves. */
class TriesTest {
  private static final InetAddress HERE = address("192.0.2.7");
  private static final InetAddress THERE = address("192.0.2.8");

  private long nanos = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();
  private final Tries tries = new Tries(() -> nanos);

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
      assertEquals(Optional.empty(), tries.begin(address, user), "try " + i);
    }
  }

  @Test
  void afterAFewEachTryWaitsTwiceAsLongAsTheOneBefore() {
    fail(Tries.FREE_OF_USER, HERE, "ann");
    for (long wait : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      assertEquals(seconds(wait), tries.begin(HERE, "ann"));
      pass(Duration.ofSeconds(wait).minusNanos(1));
      assertEquals(Optional.of(Duration.ofNanos(1)), tries.begin(HERE, "ann"));
      pass(Duration.ofNanos(1));
      assertEquals(Optional.empty(), tries.begin(HERE, "ann"));
    }
  }

  @Test
  void tryingWhileOneHasToWaitMakesTheWaitNoLonger() {
    fail(Tries.FREE_OF_USER, HERE, "ann");
    for (int i = 0; i < 100; i++) {
      assertEquals(seconds(1), tries.begin(HERE, "ann"));
    }
    pass(Duration.ofSeconds(1));
    assertEquals(Optional.empty(), tries.begin(HERE, "ann"));
  }

  @Test
  void nobodyIsLockedOutByWhatOthersDoElsewhere() {
    fail(Tries.FREE_OF_USER, HERE, "ann");
    assertEquals(seconds(1), tries.begin(HERE, "ann"));
    assertEquals(Optional.empty(), tries.begin(THERE, "ann"));
    assertEquals(Optional.empty(), tries.begin(HERE, "bob"));
  }

  @Test
  void anotherSpellingIsTheSameUser() {
    fail(Tries.FREE_OF_USER, HERE, "ann");
    assertEquals(seconds(1), tries.begin(HERE, "ANN"));
  }

  @Test
  void anAddressThatTriesManyUsersWaitsForAllOfThem() {
    for (int i = 0; i < Tries.FREE_OF_ADDRESS; i++) {
      assertEquals(Optional.empty(), tries.begin(HERE, "user" + i));
    }
    assertEquals(seconds(1), tries.begin(HERE, "another"));
    assertEquals(Optional.empty(), tries.begin(THERE, "another"));
  }

  @Test
  void aClientWithANetworkOfItsOwnIsOneAddress() {
    fail(Tries.FREE_OF_USER, address("2001:db8::1"), "ann");
    assertEquals(seconds(1), tries.begin(address("2001:db8::2"), "ann"));
    assertEquals(Optional.empty(), tries.begin(address("2001:db8:0:1::1"), "ann"));
  }

  @Test
  void aTryThatWasGoodIsNone() {
    for (int i = 0; i < 10 * Tries.FREE_OF_ADDRESS; i++) {
      assertEquals(Optional.empty(), tries.begin(HERE, "ann"));
      tries.succeeded(HERE, "ann");
    }
    fail(Tries.FREE_OF_USER - 1, HERE, "ann");
    assertEquals(Optional.empty(), tries.begin(HERE, "ann"));
    tries.succeeded(HERE, "ann");
    fail(Tries.FREE_OF_USER, HERE, "ann");
    assertEquals(seconds(1), tries.begin(HERE, "ann"));
  }

  @Test
  void afterAQuarterOfAnHourItIsAsIfThereHadBeenNone() {
    fail(Tries.FREE_OF_USER, HERE, "ann");
    pass(Tries.FORGOTTEN_AFTER);
    fail(Tries.FREE_OF_USER, HERE, "ann");
    assertEquals(seconds(1), tries.begin(HERE, "ann"));
  }
}
