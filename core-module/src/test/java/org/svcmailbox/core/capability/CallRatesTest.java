package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;

/** Call rates, as {@code authenticate} counts them. */
class CallRatesTest {
  private final Nodes nodes = new Nodes();

  private static SaturatedException refused(
      Capabilities node, @Nullable String token, @Nullable String address) {
    return assertThrows(SaturatedException.class, () -> call(node, token, address));
  }

  private static void call(Capabilities node, @Nullable String token, @Nullable String address) {
    node.authenticate(token, address == null ? null : Nodes.address(address));
  }

  private static void refused(Capabilities node, List<String> tokens) {
    for (String token : tokens) {
      assertEquals("rate_capability", refused(node, token, null).reason());
    }
  }

  @Test
  void aRateIsSharedByAllThatIsNarrowedFromWhereItStands() {
    Capabilities node = nodes.start();
    String root = Nodes.operatorToken(node);
    String rated = Nodes.narrowed(root, "rate = 2/s");
    List<String> family = new ArrayList<>();
    family.add(rated);
    family.add(Nodes.narrowed(rated, "ops = send"));
    family.add(Nodes.narrowed(rated, "ops = send", "topic = orders"));
    family.add(Nodes.narrowed(rated, "rate = 2/s"));
    family.add(Nodes.narrowed(rated, "rate = 9/s"));
    call(node, family.get(0), null);
    call(node, family.get(1), null);
    refused(node, family);
    call(node, root, null);
    call(node, Nodes.narrowed(root, "ops = send", "rate = 2/s"), null);
  }

  @Test
  void itSaysWhenTheNextCallIsThere() {
    Capabilities node = nodes.start();
    String rated = Nodes.narrowed(Nodes.operatorToken(node), "rate = 2/s");
    call(node, rated, null);
    call(node, rated, null);
    assertEquals(Duration.ofMillis(500), refused(node, rated, null).retryAfter());
    nodes.time.advance(Duration.ofMillis(499));
    assertEquals(Duration.ofMillis(1), refused(node, rated, null).retryAfter());
    nodes.time.advance(Duration.ofMillis(1));
    call(node, rated, null);
  }

  @Test
  void aRateOfMinutesAndHoursIsCountedOverThem() {
    Capabilities node = nodes.start();
    String root = Nodes.operatorToken(node);
    String minutely = Nodes.narrowed(root, "rate = 1/m");
    String hourly = Nodes.narrowed(root, "rate = 1/h");
    call(node, minutely, null);
    call(node, hourly, null);
    assertEquals(Duration.ofMinutes(1), refused(node, minutely, null).retryAfter());
    assertEquals(Duration.ofHours(1), refused(node, hourly, null).retryAfter());
  }

  @Test
  void ofSeveralRatesAllHold() {
    Capabilities node = nodes.start();
    String root = Nodes.operatorToken(node);
    for (String token :
        List.of(
            Nodes.narrowed(root, "rate = 1/s", "rate = 9/s"),
            Nodes.narrowed(root, "rate = 9/s", "rate = 1/s"))) {
      call(node, token, null);
      refused(node, List.of(token));
    }
  }

  @Test
  void whoCallsMoreOftenThanTheirsAllowsTakesNothingFromTheOthers() {
    Capabilities node = nodes.start();
    String shared = Nodes.narrowed(Nodes.operatorToken(node), "rate = 3/s");
    String greedy = Nodes.narrowed(shared, "rate = 1/s");
    call(node, greedy, null);
    for (int i = 0; i < 10; i++) {
      refused(node, greedy, null);
    }
    call(node, shared, null);
    call(node, shared, null);
    refused(node, List.of(shared));
  }

  @Test
  void anAddressOfVersionFourIsOneClient() {
    nodes.perAddress = 1;
    Capabilities node = nodes.start();
    String root = Nodes.operatorToken(node);
    call(node, root, "192.0.2.1");
    SaturatedException refused = refused(node, root, "192.0.2.1");
    assertEquals("rate_address", refused.reason());
    assertEquals(Duration.ofSeconds(1), refused.retryAfter());
    refused(node, root, "::ffff:192.0.2.1");
    call(node, root, "192.0.2.2");
  }

  @Test
  void ofVersionSixANetworkOf64BitsIsOneClient() {
    nodes.perAddress = 1;
    Capabilities node = nodes.start();
    String root = Nodes.operatorToken(node);
    call(node, root, "2001:db8:0:1::1");
    assertEquals("rate_address", refused(node, root, "2001:db8:0:1:ffff::2").reason());
    call(node, root, "2001:db8:0:2::1");
  }

  @Test
  void whatIsNoCapabilityCountsForItsAddressToo() {
    nodes.perAddress = 1;
    Capabilities node = nodes.start();
    assertThrows(DeniedException.class, () -> call(node, "nonsense", "192.0.2.1"));
    refused(node, null, "192.0.2.1");
    assertThrows(DeniedException.class, () -> call(node, null, "192.0.2.2"));
  }

  @Test
  void unknownAddressesAndNoRateAreNotCounted() {
    Capabilities node = nodes.start();
    String root = Nodes.operatorToken(node);
    nodes.perAddress = 1;
    Capabilities strict = nodes.start();
    for (int i = 0; i < 100; i++) {
      call(node, root, "192.0.2.1");
      call(strict, root, null);
    }
    assertEquals(0, node.buckets());
    call(strict, Nodes.narrowed(root, "rate = 2/s"), "192.0.2.1");
    assertEquals(2, strict.buckets());
  }

  @Test
  void aHolderDoesNotResetItsRateByNarrowing() {
    Capabilities node = nodes.start();
    String rated = Nodes.narrowed(Nodes.operatorToken(node), "rate = 1/h");
    call(node, rated, null);
    for (int i = 1; i <= 3_000; i++) {
      refused(node, List.of(Nodes.narrowed(rated, "rate = " + i + "/h", "rate = 9/h")));
    }
    assertEquals(1, node.buckets(), "what the original refuses is counted nowhere else");
    refused(node, List.of(rated));
  }

  @Test
  void aHolderOfManyRatesTakesNoBucketOfAnybodyElse() {
    Capabilities node = nodes.start();
    String root = Nodes.operatorToken(node);
    String other =
        node.mint(Nodes.operator(node), List.of("rate = 1/h"), Duration.ofDays(1)).token();
    call(node, other, null);
    int made = 0;
    while (node.buckets() < 501) {
      made++;
      call(node, Nodes.narrowed(root, "max_inflight = " + made, "rate = 1/h"), null);
    }
    refused(node, List.of(Nodes.narrowed(root, "ops = send", "rate = 1/h"), other));
    String third =
        node.mint(Nodes.operator(node), List.of("rate = 1/h"), Duration.ofDays(1)).token();
    call(node, third, null);
  }

  @Test
  void aCapabilityWithOverEightRatesIsDeniedAndNotMinted() {
    Capabilities node = nodes.start();
    String most = Nodes.operatorToken(node);
    for (int i = 0; i < VerifiedCapability.MOST_COUNTED; i++) {
      most = Nodes.narrowed(most, "rate = 9/s");
    }
    assertEquals(Optional.empty(), Nodes.denial(node, most));
    for (String caveat : List.of("rate = 9/s", "max_inflight = 5")) {
      String[] nine =
          Collections.nCopies(VerifiedCapability.MOST_COUNTED + 1, caveat).toArray(String[]::new);
      String over = Nodes.narrowed(Nodes.operatorToken(node), nine);
      assertEquals(Optional.of(Denial.TOO_MANY_CAVEATS), Nodes.denial(node, over));
      Caller operator = Nodes.operator(node);
      assertThrows(
          SchemaException.class, () -> node.mint(operator, List.of(nine), Duration.ofDays(1)));
    }
  }

  @Test
  void theNetworksOfOneSiteLeaveRoomForOtherAddresses() {
    nodes.perAddress = 1;
    Capabilities node = nodes.start();
    String root = Nodes.operatorToken(node);
    call(node, root, "192.0.2.1");
    for (int i = 0; i < 499; i++) {
      call(node, root, "2001:db8:1:" + Integer.toHexString(i) + "::1");
    }
    call(node, root, "2001:db8:1:ffff::1");
    refused(node, root, "2001:db8:1:fffe::1");
    refused(node, root, "192.0.2.1");
    call(node, root, "2001:db8:2::1");
    call(node, root, "192.0.2.2");
  }
}
