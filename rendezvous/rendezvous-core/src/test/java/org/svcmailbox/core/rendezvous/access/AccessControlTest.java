package org.svcmailbox.core.rendezvous.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.rendezvous.AccessAnswer.Blocked;
import org.svcmailbox.core.rendezvous.AccessAnswer.Forbidden;
import org.svcmailbox.core.rendezvous.AccessAnswer.Granted;
import org.svcmailbox.core.rendezvous.AccessAnswer.Limited;
import org.svcmailbox.core.rendezvous.AccessAnswer.Unauthorized;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.door.DoorScene;
import org.svcmailbox.core.rendezvous.mailbox.Scene.Outcomes;

/** Checks of addresses, rates and waits, and their order. */
class AccessControlTest {
  private static final String CLIENT = "192.0.2.1";
  private static final Duration WAIT = Duration.ofSeconds(30);

  private static IpRange range(String text) {
    return IpRange.parse(text).orElseThrow();
  }

  private static AccessRules rules(List<String> allow, List<String> block, int posts) {
    return new AccessRules(
        allow.stream().map(AccessControlTest::range).toList(),
        block.stream().map(AccessControlTest::range).toList(),
        posts,
        120,
        60);
  }

  private static DoorScene open(String... settings) {
    List<String> all = new ArrayList<>(List.of("auth_mode", "disabled"));
    all.addAll(List.of(settings));
    return new DoorScene(all.toArray(String[]::new));
  }

  private static void uses(DoorScene scene, String address, int calls) {
    for (int i = 0; i < calls; i++) {
      assertInstanceOf(Granted.class, scene.post(address), "call " + i);
    }
  }

  @Test
  void aMinuteHas60PostsAnd120Gets() {
    DoorScene scene = open();
    uses(scene, CLIENT, 60);
    assertEquals(new Limited(Duration.ofSeconds(1)), scene.post(CLIENT));
    for (int i = 0; i < 120; i++) {
      assertInstanceOf(Granted.class, scene.admit(Right.GET, null), "GETs have a bucket of theirs");
    }
    assertInstanceOf(Limited.class, scene.admit(Right.GET, null));
    uses(scene, "192.0.2.2", 60);
  }

  @Test
  void aRateOfZeroIsNone() {
    uses(open("posts_per_minute", "0"), CLIENT, 1_000);
  }

  @Test
  void aBucketHoldsOneCallAtLeast() {
    DoorScene scene = open("posts_per_minute", "1", "window_seconds", "1");
    uses(scene, CLIENT, 1);
    assertEquals(new Limited(Duration.ofMinutes(1)), scene.post(CLIENT));
  }

  @Test
  void clientsOfOneIpv6NetworkAreOne() {
    DoorScene scene = open();
    uses(scene, "2001:db8:0:1::1", 60);
    assertInstanceOf(Limited.class, scene.post("2001:db8:0:1:ffff::2"));
    uses(scene, "2001:db8:0:2::1", 60);
    DoorScene wide = open("ipv6_prefix", "48");
    uses(wide, "2001:db8:0:1::1", 60);
    assertInstanceOf(Limited.class, wide.post("2001:db8:0:2::1"));
    assertInstanceOf(Granted.class, wide.post("2001:db8:1:1::1"));
  }

  @Test
  void theShareOfMemoryIsTheNetworksToo() {
    DoorScene scene = open();
    Granted granted = assertInstanceOf(Granted.class, scene.post("2001:db8:0:1::1"));
    assertEquals(DoorScene.address("2001:db8:0:1::"), granted.access().sender());
  }

  @Test
  void whoIsAllowedHasNoRateAndNoShare() {
    DoorScene scene = open("allow", "192.0.2.0/24", "max_waiting_per_address", "1");
    uses(scene, CLIENT, 1_000);
    Granted granted = assertInstanceOf(Granted.class, scene.awaits(CLIENT, null));
    assertNull(granted.access().sender());
    uses(scene, "192.0.3.1", 60);
    assertInstanceOf(Limited.class, scene.post("192.0.3.1"));
  }

  @Test
  void whoIsAllowedAuthenticatesLikeOthers() {
    DoorScene scene = new DoorScene("allow", "192.0.2.0/24");
    assertInstanceOf(Unauthorized.class, scene.post(CLIENT));
  }

  @Test
  void blockingWinsOverAllowingAndOverEverythingElse() {
    DoorScene scene = new DoorScene("allow", "192.0.2.0/24", "block", "192.0.2.1/32,2001:db8::/32");
    String token = scene.door.firstToken().orElseThrow();
    assertInstanceOf(Blocked.class, scene.admit(Right.POST, CLIENT, token));
    assertInstanceOf(Blocked.class, scene.post(CLIENT));
    assertInstanceOf(Blocked.class, scene.admit(Right.POST, "2001:db8:ffff::1", token));
    assertInstanceOf(Granted.class, scene.admit(Right.POST, "192.0.2.2", token));
    assertInstanceOf(Granted.class, scene.admit(Right.POST, "2001:db9::1", token));
  }

  @Test
  void theRateComesBeforeTheTokenAndFailuresCount() {
    DoorScene scene = new DoorScene();
    for (int i = 0; i < 30; i++) {
      assertInstanceOf(Unauthorized.class, scene.post(CLIENT));
      assertInstanceOf(Forbidden.class, scene.admit(Right.POST, "wrong"));
    }
    assertInstanceOf(Limited.class, scene.post(CLIENT));
    assertInstanceOf(Limited.class, scene.admit(Right.POST, "wrong"));
    assertInstanceOf(Limited.class, scene.admit(Right.POST, scene.door.firstToken().orElseThrow()));
  }

  @Test
  void aCapabilityWithARateCountsThereAndNotByAddress() {
    DoorScene scene = new DoorScene("posts_per_minute", "1");
    String token = scene.capability("rate = 5/m");
    assertInstanceOf(Unauthorized.class, scene.post(CLIENT), "the address has no call left");
    for (int i = 0; i < 5; i++) {
      assertInstanceOf(Granted.class, scene.admit(Right.POST, token));
    }
    assertInstanceOf(Limited.class, scene.admit(Right.POST, token));
    assertInstanceOf(Limited.class, scene.admit(Right.POST, "192.0.2.9", token), "anywhere");
    String plain = scene.capability();
    assertInstanceOf(Granted.class, scene.admit(Right.POST, "192.0.2.9", plain));
    assertInstanceOf(Limited.class, scene.admit(Right.POST, "192.0.2.9", plain));
  }

  @Test
  void aClientWithItsMostWaitersMayCallButNotWait() {
    DoorScene scene = open("max_waiting_per_address", "2");
    List<Outcomes> waiting = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Granted granted = assertInstanceOf(Granted.class, scene.awaits(CLIENT, null));
      Outcomes outcomes = new Outcomes();
      scene.door.get(granted.access(), DoorScene.MAILBOX, WAIT, outcomes::add);
      waiting.add(outcomes);
    }
    Limited limited = assertInstanceOf(Limited.class, scene.awaits(CLIENT, null));
    assertTrue(limited.retryAfter().compareTo(Duration.ofSeconds(1)) >= 0);
    assertInstanceOf(Granted.class, scene.admit(Right.GET, null));
    assertInstanceOf(Granted.class, scene.awaits("192.0.2.2", null));
    scene.time.advance(WAIT);
    scene.door.step();
    assertInstanceOf(GetOutcome.Empty.class, waiting.get(0).only());
    assertInstanceOf(Granted.class, scene.awaits(CLIENT, null));
  }

  @Test
  void anUnknownAddressIsNotCounted() {
    DoorScene scene = open("posts_per_minute", "1", "block", "0.0.0.0/0", "allow", "::/0");
    for (int i = 0; i < 3; i++) {
      AccessRequest request = new AccessRequest(DoorScene.MAILBOX, Right.POST, null, null, false);
      assertInstanceOf(Granted.class, scene.door.admit(request));
    }
  }

  @Test
  void rulesHoldFromTheNextRequestOnAndAfterARestart() {
    DoorScene scene = open();
    uses(scene, CLIENT, 60);
    AccessRules rules = rules(List.of(), List.of("192.0.2.9/32"), 1_000);
    scene.door.setAccess(scene.operator, rules);
    assertEquals(rules, scene.door.access(scene.operator));
    assertInstanceOf(Blocked.class, scene.post("192.0.2.9"));
    uses(scene, CLIENT, 1_000);
    DoorScene restarted = new DoorScene(scene.store, "auth_mode", "disabled");
    assertInstanceOf(Blocked.class, restarted.post("192.0.2.9"));
    AuditEntry entry = scene.store.audit().get(0);
    assertEquals("rendezvous.access", entry.action());
    assertTrue(entry.note().contains("1 blocked; 1000 POSTs"), entry.note());
  }

  @Test
  void rulesThatAreNotOnDiskDoNotHold() {
    DoorScene scene = open();
    AccessRules before = scene.door.access(scene.operator);
    scene.store.away(true);
    AccessRules rules = rules(List.of(), List.of("192.0.2.1/32"), 1);
    assertThrows(UnavailableException.class, () -> scene.door.setAccess(scene.operator, rules));
    assertEquals(before, scene.door.access(scene.operator));
    assertInstanceOf(Granted.class, scene.post(CLIENT));
  }

  @Test
  void rulesOutOfBoundsAreRefusedWithEveryField() {
    DoorScene scene = open();
    List<IpRange> most = new ArrayList<>(Collections.nCopies(1_000, range("::/0")));
    scene.door.setAccess(scene.operator, new AccessRules(most, most, 1_000_000, 0, 3_600));
    most.add(range("::/0"));
    SchemaException refused =
        assertThrows(
            SchemaException.class,
            () ->
                scene.door.setAccess(
                    scene.operator, new AccessRules(most, most, 1_000_001, -1, 3_601)));
    assertEquals(5, refused.violations().size());
  }

  @Test
  void onlyAnOperatorForAllTopicsSeesOrSetsRules() {
    DoorScene scene = open();
    for (String caveat : List.of("topic = orders", "ops = rendezvous.post")) {
      assertThrows(DeniedException.class, () -> scene.door.access(scene.operator(caveat)));
      assertThrows(
          DeniedException.class,
          () -> scene.door.setAccess(scene.operator(caveat), rules(List.of(), List.of(), 1)));
    }
  }

  @Test
  void rangesAreFoundByEveryPrefix() {
    for (int prefix = 0; prefix <= 32; prefix++) {
      AddressSet set =
          new AddressSet(
              List.of(
                  new IpRange(AddressSet.cut(DoorScene.address("203.0.113.77"), prefix), prefix)));
      assertTrue(set.contains(DoorScene.address("203.0.113.77")));
      if (prefix > 0) {
        byte[] bytes = DoorScene.address("203.0.113.77").getAddress();
        bytes[(prefix - 1) / 8] ^= (byte) (0x80 >>> ((prefix - 1) % 8));
        String other =
            "%d.%d.%d.%d"
                .formatted(bytes[0] & 0xff, bytes[1] & 0xff, bytes[2] & 0xff, bytes[3] & 0xff);
        assertFalse(set.contains(DoorScene.address(other)), other);
      }
    }
  }
}
