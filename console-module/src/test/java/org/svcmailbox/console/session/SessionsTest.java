package org.svcmailbox.console.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.ConsoleRole;
import org.svcmailbox.core.capability.ConsoleUser;

/** Life cycle of sessions, on a manual clock. */
class SessionsTest {
  private static final ConsoleUser ANN = new ConsoleUser("ann", ConsoleRole.VIEWER);
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final Duration IDLE = Duration.ofMinutes(30);
  private static final Duration LONGEST = Duration.ofHours(2);

  // Just before the clock wraps: only differences may mean anything.
  private long nanos = Long.MAX_VALUE - Duration.ofMinutes(20).toNanos();
  private final Sessions sessions =
      new Sessions(
          new Sessions.Limits(3, IDLE, LONGEST, Duration.ofMinutes(10)),
          new SecureRandom(),
          () -> nanos);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void onlyItsTokenIdentifiesASession() {
    String token = sessions.begin(ANN);
    assertEquals(Optional.of(ANN), sessions.user(token));
    assertEquals(Optional.empty(), sessions.user(token + "A"));
    assertEquals(Optional.empty(), sessions.user(""));
    assertNotEquals(token, sessions.begin(ANN));
    assertTrue(token.matches("[A-Za-z0-9_-]{43}"), "256 random bits");
  }

  @Test
  void aSessionHasItsCapabilityAgainAndSaysAtItsEndWhatItHolds() {
    String token = sessions.begin(ANN);
    Minted first = minted("1", NOW.plusSeconds(600));
    Minted second = minted("2", NOW.plusSeconds(900));
    assertTrue(sessions.own(token, first, NOW));
    assertEquals(Optional.of(first), sessions.capability(token, NOW.plusSeconds(599)));
    assertEquals(Optional.empty(), sessions.capability(token, NOW.plusSeconds(600)));
    assertEquals(Optional.empty(), sessions.capability(sessions.begin(ANN), NOW));
    assertTrue(sessions.own(token, second, NOW.plusSeconds(300)));
    List<CapabilityId> both = List.of(first.id(), second.id());
    assertEquals(Optional.of(new Sessions.Ended(ANN, both)), sessions.end(token));
    assertEquals(Optional.empty(), sessions.capability(token, NOW));
    assertFalse(sessions.own(token, second, NOW), "it has ended");
  }

  @Test
  void aSessionForgetsCapabilitiesThatHaveExpired() {
    String token = sessions.begin(ANN);
    assertTrue(sessions.hold(token, minted("1", NOW.plusSeconds(600)), NOW));
    Minted second = minted("2", NOW.plusSeconds(900));
    assertTrue(sessions.hold(token, second, NOW.plusSeconds(600)));
    assertEquals(List.of(second.id()), sessions.end(token).orElseThrow().held());
  }

  @Test
  void anElevatedCapabilityIsNotTheSessionsOwnAndEndsWithIt() {
    String token = sessions.begin(ANN);
    Minted elevated = minted("1", NOW.plusSeconds(60));
    Minted own = minted("2", NOW.plusSeconds(10));
    assertTrue(sessions.hold(token, elevated, NOW));
    assertEquals(Optional.empty(), sessions.capability(token, NOW));
    assertTrue(sessions.own(token, own, NOW));
    assertEquals(Optional.of(own), sessions.capability(token, NOW));
    assertEquals(List.of(elevated.id(), own.id()), sessions.end(token).orElseThrow().held());
    assertFalse(sessions.hold(token, elevated, NOW), "it has ended");
  }

  @Test
  void aConfirmationCountsInItsSessionAlone() {
    String token = sessions.begin(ANN, Optional.empty());
    String other = sessions.begin(ANN, Optional.empty());
    assertEquals(Optional.of(new StepUp.Unconfirmed()), sessions.stepUp(token));
    assertTrue(sessions.confirmed(token));
    assertEquals(Optional.of(new StepUp.Granted()), sessions.stepUp(token));
    assertEquals(Optional.of(new StepUp.Unconfirmed()), sessions.stepUp(other));
    sessions.end(token);
    assertFalse(sessions.confirmed(token));
    assertEquals(Optional.empty(), sessions.stepUp(token));
  }

  @Test
  void aSignInAndANewPasswordAreAConfirmation() {
    assertEquals(Optional.of(new StepUp.Granted()), sessions.stepUp(sessions.begin(ANN)));
    String second = sessions.begin(ANN, sessions.passwordChanges("ann")).orElseThrow();
    assertEquals(Optional.of(new StepUp.Granted()), sessions.stepUp(second));
  }

  @Test
  void aSessionSaysHowLongItLasts() {
    String token = sessions.begin(ANN);
    assertEquals(IDLE, sessions.left(token));
    pass(Duration.ofMinutes(29));
    assertEquals(Duration.ofMinutes(1), sessions.left(token));
    sessions.touch(token);
    assertEquals(IDLE, sessions.left(token));
    for (int i = 0; i < 3; i++) {
      pass(Duration.ofMinutes(29));
      sessions.touch(token);
    }
    assertEquals(Duration.ofMinutes(4), sessions.left(token), "the longest session");
    pass(Duration.ofMinutes(4));
    assertEquals(Duration.ZERO, sessions.left(token));
    assertEquals(Duration.ZERO, sessions.left("none"));
  }

  private static Minted minted(String digit, Instant expires) {
    return new Minted("token", new CapabilityId("k1", digit.repeat(32)), expires);
  }

  @Test
  void anIdleSessionExpires() {
    String token = sessions.begin(ANN);
    pass(IDLE.minusNanos(1));
    assertEquals(Optional.of(ANN), sessions.user(token), "a lookup is no activity");
    pass(Duration.ofNanos(1));
    assertEquals(Optional.empty(), sessions.user(token));
    assertEquals(Optional.empty(), sessions.touch(token), "activity does not revive it");
    assertEquals(Optional.empty(), sessions.user(token));
  }

  @Test
  void activityExtendsASessionUpToItsLimit() {
    String token = sessions.begin(ANN);
    for (int i = 0; i < 4; i++) {
      pass(IDLE.minusMinutes(1));
      assertEquals(Optional.of(ANN), sessions.touch(token), "after " + i);
    }
    pass(LONGEST.minus(IDLE.minusMinutes(1).multipliedBy(4)).minusNanos(1));
    assertEquals(Optional.of(ANN), sessions.touch(token));
    pass(Duration.ofNanos(1));
    assertEquals(Optional.empty(), sessions.touch(token));
  }

  @Test
  void endingASessionIsFinal() {
    String token = sessions.begin(ANN);
    assertEquals(Optional.of(new Sessions.Ended(ANN, List.of())), sessions.end(token));
    assertEquals(Optional.empty(), sessions.user(token));
    assertEquals(Optional.empty(), sessions.end(token));
  }

  @Test
  void aNewPasswordEndsTheUsersSessionsAndNoOthers() {
    String first = sessions.begin(ANN);
    String second = sessions.begin(ANN);
    String bobs = sessions.begin(new ConsoleUser("bob", ConsoleRole.VIEWER));
    Minted minted = minted("1", NOW.plusSeconds(600));
    assertTrue(sessions.hold(second, minted, NOW));
    assertTrue(sessions.hold(bobs, minted("2", NOW.plusSeconds(600)), NOW));
    assertEquals(List.of(minted.id()), sessions.passwordChanged("ann"));
    assertEquals(Optional.empty(), sessions.user(first));
    assertEquals(Optional.empty(), sessions.user(second));
    assertTrue(sessions.user(bobs).isPresent());
    assertEquals(List.of(), sessions.passwordChanged("ann"));
  }

  @Test
  void noSessionBeginsWithAPasswordThatChangedMeanwhile() {
    long ofAnn = sessions.passwordChanges("ann");
    long ofBob = sessions.passwordChanges("bob");
    assertEquals(List.of(), sessions.passwordChanged("ann"));
    assertEquals(Optional.empty(), sessions.begin(ANN, ofAnn));
    assertTrue(sessions.begin(new ConsoleUser("bob", ConsoleRole.VIEWER), ofBob).isPresent());
    assertTrue(sessions.begin(ANN, sessions.passwordChanges("ann")).isPresent());
  }

  @Test
  void theLeastRecentlyUsedSessionIsEvicted() {
    String first = sessions.begin(ANN);
    pass(Duration.ofSeconds(1));
    String second = sessions.begin(ANN);
    pass(Duration.ofSeconds(1));
    String third = sessions.begin(ANN);
    pass(Duration.ofSeconds(1));
    sessions.touch(first);
    String fourth = sessions.begin(ANN);
    assertEquals(Optional.empty(), sessions.user(second));
    assertEquals(Optional.of(ANN), sessions.user(first));
    assertEquals(Optional.of(ANN), sessions.user(third));
    assertEquals(Optional.of(ANN), sessions.user(fourth));
  }

  @Test
  void expiredSessionsAreEvictedFirst() {
    String first = sessions.begin(ANN);
    pass(IDLE.minusSeconds(1));
    String second = sessions.begin(ANN);
    String third = sessions.begin(ANN);
    pass(Duration.ofSeconds(1));
    String fourth = sessions.begin(ANN);
    assertEquals(Optional.empty(), sessions.user(first));
    for (String token : new String[] {second, third, fourth}) {
      assertEquals(Optional.of(ANN), sessions.user(token));
    }
  }
}
