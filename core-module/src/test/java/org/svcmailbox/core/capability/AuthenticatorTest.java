package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.capability.RootKey;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.store.InMemoryCapabilityStore;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.time.TestTime;

class AuthenticatorTest {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration OUTAGE = Duration.ofMinutes(10);
  private static final Duration NANO = Duration.ofNanos(1);
  private static final TopicName ORDERS = new TopicName("orders");
  private static final RootKey KEY = RootKey.of(new byte[] {1});
  private static final RootKey OTHER = RootKey.of(new byte[] {2});

  private final TestTime time = new TestTime();
  private final InMemoryCapabilityStore store = new InMemoryCapabilityStore();
  private final Authenticator authenticator =
      new Authenticator(
          Keyring.open(Map.of("k1", KEY), store, new SecureRandom(), time::nanos, time),
          store,
          new BeliefTerms(TTL, OUTAGE),
          time::nanos,
          time);

  private static String token(RootKey key, int number, String... caveats) {
    Macaroon macaroon = Macaroon.mint(key, "mailbox", id(number).bytes());
    for (String caveat : List.of(caveats)) {
      macaroon = macaroon.narrowedBy(caveat);
    }
    return macaroon.token();
  }

  private static CapabilityId id(int number) {
    byte[] nonce = new byte[CapabilityId.NONCE_BYTES];
    nonce[0] = (byte) (number >> 8);
    nonce[1] = (byte) number;
    return CapabilityId.of("k1", nonce);
  }

  private Optional<Denial> denial(String token) {
    return authenticator.authenticate(token, null).denial(Operation.SEND, ORDERS);
  }

  private void refused(@Nullable String token, String reason) {
    DeniedException denied =
        assertThrows(DeniedException.class, () -> authenticator.authenticate(token, null));
    assertEquals(Problem.E_CAP_AUTH, denied.problem());
    assertEquals(reason, denied.reason());
  }

  private void revokeElsewhere(int number) {
    store.revoke(
        id(number).nonce(),
        "k1",
        new AuditEntry(time.instant(), new Actor("elsewhere", null), "", "", "", ""));
  }

  @Test
  void theStoreIsAskedOnceForWhatIsBelieved() {
    String token = token(KEY, 1);
    assertEquals(Optional.empty(), denial(token));
    time.advance(TTL.minus(NANO));
    assertEquals(Optional.empty(), denial(token));
    assertEquals(1, store.asked());
    time.advance(NANO);
    assertEquals(Optional.empty(), denial(token));
    assertEquals(2, store.asked());
  }

  @Test
  void thatItWasRevokedIsBelievedAsLong() {
    String token = token(KEY, 1);
    revokeElsewhere(1);
    assertEquals(Optional.of(Denial.REVOKED), denial(token));
    assertEquals(Optional.of(Denial.REVOKED), denial(token));
    assertEquals(1, store.asked());
  }

  @Test
  void nothingIsGoodPastItsOwnEnd() {
    String token =
        token(KEY, 1, "expires < 2026-01-01T00:00:10Z", "expires < 2027-01-01T00:00:00Z");
    assertEquals(Optional.empty(), denial(token));
    store.away(true);
    time.advance(Duration.ofSeconds(10).minus(NANO));
    assertEquals(Optional.empty(), denial(token));
    time.advance(NANO);
    assertEquals(Optional.of(Denial.EXPIRED), denial(token));
  }

  @Test
  void whatIsNotGenuineIsNotKeptAndNobodyAsksWhetherItWasRevoked() {
    revokeElsewhere(1);
    refused(token(OTHER, 1), "invalid");
    refused(token(OTHER, 1), "invalid");
    refused("nonsense", "invalid");
    refused("", "invalid");
    refused(null, "missing");
    assertEquals(0, store.asked());
    assertEquals(0, authenticator.cached());
  }

  @Test
  void bodiesAreReadInTheNameOfGenuineCapabilities() {
    String good = token(KEY, 1, "expires < 2026-01-01T00:01:00Z");
    assertNull(authenticator.known(good), "not looked at yet");
    assertEquals(0, store.asked());
    assertEquals(id(1).nonce(), authenticator.find(good));
    assertEquals(id(1).nonce(), authenticator.known(good));
    assertEquals(1, store.asked());
    String narrowed = Macaroon.parse(good).narrowedBy("ops = send").token();
    assertEquals(id(1).nonce(), authenticator.find(narrowed), "the same holder");
    time.advance(TTL);
    assertNull(authenticator.known(good), "revoked meanwhile, perhaps");
    assertEquals(id(1).nonce(), authenticator.find(good));
    time.advance(TTL);
    assertEquals(BodyOwners.ANYONE, authenticator.find(good), "expired");

    revokeElsewhere(2);
    assertEquals(BodyOwners.ANYONE, authenticator.find(token(KEY, 2)));
    store.away(true);
    assertEquals(BodyOwners.ANYONE, authenticator.find(token(KEY, 3)), "may settle a lease");
  }

  @Test
  void denialsAreCountedForTheAudit() {
    refused(null, "missing");
    refused("nonsense", "invalid");
    authenticator.find("nonsense");
    assertEquals(Optional.of(Denial.OPERATION), denial(token(KEY, 1, "ops = recv")));
    List<AuditEntry> written = new ArrayList<>();
    authenticator.counts().writeTo(written::add, time.instant());
    assertEquals(
        List.of("stranger missing", "stranger invalid", "k1:" + id(1).nonce() + " operation"),
        written.stream().map(entry -> entry.actor().id() + " " + entry.subject()).toList());
  }

  @Test
  void nothingIsReadForStrangers() {
    for (String stranger : Arrays.asList(token(OTHER, 1), foreign(), "nonsense", "", null)) {
      assertNull(authenticator.known(stranger));
      assertNull(authenticator.find(stranger));
    }
    assertEquals(0, authenticator.cached());
    assertEquals(0, store.asked());
  }

  @Test
  void withoutTheStoreGenuineTokensComeInForWhatTheyHoldOnly() {
    String known = token(KEY, 1);
    String unknown = token(KEY, 2);
    assertEquals(Optional.empty(), denial(known));
    store.away(true);
    assertEquals(Optional.empty(), denial(known), "is still believed");
    Caller caller = authenticator.authenticate(unknown, null);
    assertEquals(Optional.of(Denial.UNVERIFIED), caller.denial(Operation.SEND, ORDERS));
    assertEquals(Problem.E_UNAVAILABLE, Denial.UNVERIFIED.problem());
    assertEquals(Optional.empty(), caller.settlingDenial(Operation.ACK, ORDERS, id(2)));
    assertEquals(
        Optional.of(Denial.UNVERIFIED), caller.settlingDenial(Operation.ACK, ORDERS, id(1)));
    refused(token(OTHER, 1), "invalid");

    store.away(false);
    assertEquals(Optional.empty(), denial(unknown), "was not kept as unverified");
    revokeElsewhere(2);
    assertEquals(Optional.empty(), denial(unknown), "is believed from then on");
  }

  @Test
  void manyDenialsByRightMakeEverythingBeVerifiedAgainOncePerWindow() {
    String good = token(KEY, 1);
    denial(good);
    deniedTimes(DenialSpike.MANY - 1);
    assertEquals(0, authenticator.purges());
    denial(good);
    assertEquals(2, store.asked(), "the good one and the denied one");
    deniedTimes(1);
    assertEquals(1, authenticator.purges());
    denial(good);
    assertEquals(3, store.asked());

    time.advance(DenialSpike.WINDOW.minus(NANO));
    deniedTimes(DenialSpike.MANY);
    assertEquals(1, authenticator.purges(), "one in each window");
    time.advance(NANO);
    deniedTimes(DenialSpike.MANY - 1);
    assertEquals(1, authenticator.purges());
    deniedTimes(1);
    assertEquals(2, authenticator.purges());
  }

  /** Denials of a genuine token that has not the right. */
  private void deniedTimes(int times) {
    Caller caller = authenticator.authenticate(token(KEY, 99, "ops = recv"), null);
    for (int i = 0; i < times; i++) {
      assertEquals(Optional.of(Denial.OPERATION), caller.denial(Operation.SEND, ORDERS));
    }
  }

  @Test
  void fewDenialsInAWindowAreNoSpikeHoweverManyWindowsThereAre() {
    for (int i = 0; i < 5; i++) {
      deniedTimes(DenialSpike.MANY - 1);
      time.advance(DenialSpike.WINDOW);
    }
    assertEquals(0, authenticator.purges());
  }

  @Test
  void strangersMakeNothingBeVerifiedAgain() {
    String good = token(KEY, 1);
    denial(good);
    for (int i = 0; i < 3 * DenialSpike.MANY; i++) {
      refused(null, "missing");
      refused("nonsense", "invalid");
      refused(token(OTHER, 1), "invalid");
      refused(foreign(), "invalid");
    }
    assertEquals(0, authenticator.purges());
    denial(good);
    assertEquals(1, store.asked());
  }

  private static String foreign() {
    CapabilityId id = CapabilityId.of("k2", new byte[CapabilityId.NONCE_BYTES]);
    return Macaroon.mint(OTHER, "mailbox", id.bytes()).token();
  }

  @Test
  void neitherTimeNorAnOutageMakesAnythingBeVerifiedAgain() {
    for (String caveat :
        List.of("expires < 2025-01-01T00:00:00Z", "not_before > 2030-01-01T00:00:00Z")) {
      for (int i = 0; i < 2 * DenialSpike.MANY; i++) {
        assertTrue(denial(token(KEY, 1, caveat)).isPresent());
      }
    }
    store.away(true);
    for (int i = 0; i < 2 * DenialSpike.MANY; i++) {
      assertEquals(Optional.of(Denial.UNVERIFIED), denial(token(KEY, 2)));
    }
    assertEquals(0, authenticator.purges());
  }

  @Test
  void aSpikeDuringAnOutageTakesNobodysBelief() {
    String good = token(KEY, 1);
    denial(good);
    deniedTimes(1);
    store.away(true);
    deniedTimes(DenialSpike.MANY);
    assertEquals(1, authenticator.purges());
    assertEquals(Optional.empty(), denial(good));
  }

  @Test
  void tokensNarrowedWithoutEndTakeNobodysBelief() {
    String good = token(KEY, 1);
    denial(good);
    for (int i = 0; i < VerifiedTokens.MOST + 500; i++) {
      authenticator.authenticate(token(KEY, 2, "rate = " + (i + 1) + "/s"), null);
    }
    assertEquals(2, store.asked(), "narrowing makes no new capability");
    assertEquals(2, authenticator.belief().size());
    store.away(true);
    time.advance(TTL);
    assertEquals(Optional.empty(), denial(good));
  }

  @Test
  void noMoreTokensAreKeptThanTheMost() {
    for (int i = 0; i < VerifiedTokens.MOST + 500; i++) {
      authenticator.authenticate(token(KEY, i), null);
      assertTrue(authenticator.cached() <= VerifiedTokens.MOST, "after " + i);
    }
    assertTrue(authenticator.cached() > VerifiedTokens.MOST / 2);
  }
}
