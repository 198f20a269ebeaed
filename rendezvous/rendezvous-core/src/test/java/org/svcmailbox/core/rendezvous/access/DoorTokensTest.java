package org.svcmailbox.core.rendezvous.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.rendezvous.door.DoorScene.MAILBOX;
import static org.svcmailbox.core.rendezvous.door.DoorScene.OTHER;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.BodyOwners;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.rendezvous.AccessAnswer.Forbidden;
import org.svcmailbox.core.rendezvous.AccessAnswer.Granted;
import org.svcmailbox.core.rendezvous.AccessAnswer.Unauthorized;
import org.svcmailbox.core.rendezvous.AccessAnswer.Unavailable;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.GetOutcome.Revoked;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.core.rendezvous.RendezvousAdmin.Issued;
import org.svcmailbox.core.rendezvous.RendezvousAdmin.Page;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.StoredToken;
import org.svcmailbox.core.rendezvous.door.DoorScene;
import org.svcmailbox.core.rendezvous.mailbox.Scene;
import org.svcmailbox.core.rendezvous.mailbox.Scene.Outcomes;

/** Tokens and capabilities at the rendezvous service. */
class DoorTokensTest {
  private static final Set<Right> BOTH = Set.of(Right.POST, Right.GET);
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final String STATIC = "a-token-of-the-settings";

  private static DoorScene open(String... settings) {
    List<String> all = new ArrayList<>(List.of("posts_per_minute", "0", "gets_per_minute", "0"));
    all.addAll(List.of(settings));
    return new DoorScene(all.toArray(String[]::new));
  }

  private static Issued add(DoorScene scene, @Nullable RecipientId mailbox, Set<Right> rights) {
    return scene.door.add(scene.operator, mailbox, rights, null, "");
  }

  private static boolean isGood(DoorScene scene, String token) {
    return scene.admit(Right.POST, token) instanceof Granted;
  }

  @Test
  void withoutTokensEverybodyIsLetIn() {
    DoorScene scene = open("auth_mode", "disabled");
    assertInstanceOf(Granted.class, scene.admit(Right.POST, null));
    assertInstanceOf(Granted.class, scene.admit(Right.GET, "anything"));
    assertEquals(Optional.empty(), scene.door.firstToken());
  }

  @Test
  void theFirstStartMakesATokenAndNoLaterOneDoes() {
    DoorScene scene = open();
    String token = scene.door.firstToken().orElseThrow();
    assertEquals(43, token.length(), "256 bits");
    assertTrue(isGood(scene, token));
    DoorScene restarted = new DoorScene(scene.store);
    assertEquals(Optional.empty(), restarted.door.firstToken());
    assertTrue(isGood(restarted, token));
    AuditEntry entry = scene.store.audit().get(0);
    assertEquals("rendezvous.token.add", entry.action());
    assertEquals(Actor.SERVICE, entry.actor());
  }

  @Test
  void noTokenIsMadeWhereTheSettingsHaveOneOrNoneIsOfUse() {
    assertEquals(Optional.empty(), open("auth_tokens", STATIC).door.firstToken());
    assertEquals(Optional.empty(), open("auth_mode", "per_mailbox").door.firstToken());
    DoorScene bound = open("auth_tokens", MAILBOX.hex() + "=" + STATIC);
    assertTrue(bound.door.firstToken().isPresent(), "it is not good for every mailbox");
  }

  @Test
  void aTokenOfTheSettingsHasBothRights() {
    DoorScene scene = open("auth_tokens", STATIC);
    for (Right right : Right.values()) {
      assertInstanceOf(Granted.class, scene.admit(right, STATIC));
      assertInstanceOf(Forbidden.class, scene.admit(right, STATIC + "x"));
      assertInstanceOf(Unauthorized.class, scene.admit(right, null));
    }
  }

  @Test
  void aTokenHasTheRightsItWasGiven() {
    DoorScene scene = open();
    Issued post = add(scene, null, Set.of(Right.POST));
    assertInstanceOf(Granted.class, scene.admit(Right.POST, post.token()));
    assertInstanceOf(Forbidden.class, scene.admit(Right.GET, post.token()));
  }

  @Test
  void aTokenOfAMailboxIsGoodForNoOther() {
    for (String mode : List.of("server_wide", "per_mailbox")) {
      DoorScene scene = open("auth_mode", mode);
      Issued bound = add(scene, MAILBOX, BOTH);
      assertInstanceOf(Granted.class, scene.admitTo(MAILBOX, Right.GET, bound.token()), mode);
      assertInstanceOf(Forbidden.class, scene.admitTo(OTHER, Right.GET, bound.token()), mode);
    }
  }

  @Test
  void perMailboxOnlyTokensOfTheMailboxAreGood() {
    DoorScene scene = open("auth_mode", "per_mailbox", "auth_tokens", OTHER.hex() + "=" + STATIC);
    assertInstanceOf(Forbidden.class, scene.admit(Right.GET, add(scene, null, BOTH).token()));
    assertInstanceOf(Granted.class, scene.admitTo(OTHER, Right.GET, STATIC));
    assertInstanceOf(Forbidden.class, scene.admitTo(MAILBOX, Right.GET, STATIC));
  }

  @Test
  void whatIsKeptIsADigestAndNothingShowsTheToken() {
    DoorScene scene = open();
    Issued issued = scene.door.add(scene.operator, MAILBOX, BOTH, null, "a note");
    assertEquals(
        HexFormat.of().formatHex(TokenDigest.of(issued.token())), issued.stored().digest());
    String shown = issued + " " + scene.store.tokens() + scene.store.audit() + scene.door.metrics();
    assertFalse(shown.contains(issued.token()), shown);
    assertFalse(scene.store.audit().toString().contains(MAILBOX.hex().substring(0, 9)), shown);
    AccessRequest request = new AccessRequest(MAILBOX, Right.GET, null, issued.token(), false);
    assertFalse(request.toString().contains(issued.token()));
  }

  @Test
  void aTokenEndsAtItsEndAndNotBefore() {
    DoorScene scene = open();
    Duration life = Duration.ofMinutes(10);
    Issued issued = scene.door.add(scene.operator, null, BOTH, life, "");
    scene.time.advance(life.minusNanos(1));
    assertTrue(isGood(scene, issued.token()));
    scene.time.advance(Duration.ofNanos(1));
    assertFalse(isGood(scene, issued.token()));
  }

  @Test
  void tokensThatEndedArePurgedWhileTheDoorIsOpen() {
    DoorScene scene = open();
    scene.door.add(scene.operator, MAILBOX, BOTH, Duration.ofSeconds(1), "");
    assertEquals(2, scene.door.tokens(scene.operator, "", 10).tokens().size());
    scene.time.advance(Duration.ofSeconds(11));
    scene.door.step();
    scene.door.purge();
    assertEquals(1, scene.door.tokens(scene.operator, "", 10).tokens().size());
    assertEquals(1, scene.store.tokens().size());
    scene.store.away(true);
    scene.door.purge();
  }

  @Test
  void aRemovedTokenIsGoodNoMoreNeitherNowNorAfterARestart() {
    DoorScene scene = open();
    Issued issued = add(scene, null, BOTH);
    scene.door.remove(scene.operator, issued.stored().id());
    assertFalse(isGood(scene, issued.token()));
    assertFalse(isGood(new DoorScene(scene.store), issued.token()));
    assertThrows(
        NotFoundException.class, () -> scene.door.remove(scene.operator, issued.stored().id()));
  }

  @Test
  void aRemovalWhoseOutcomeIsUnknownCanBeRepeated() {
    DoorScene scene = open();
    Issued issued = add(scene, null, BOTH);
    String id = issued.stored().id();
    scene.store.losingAnswers(true);
    assertThrows(UnavailableException.class, () -> scene.door.remove(scene.operator, id));
    scene.store.losingAnswers(false);
    scene.door.remove(scene.operator, id);
    assertFalse(isGood(scene, issued.token()));
  }

  @Test
  void aTokenThatIsNotOnDiskIsNotGoodAndTakesNoRoom() {
    DoorScene scene = open();
    scene.store.away(true);
    for (int i = 0; i < RendezvousAdmin.MAX_PER_MAILBOX; i++) {
      assertThrows(UnavailableException.class, () -> add(scene, MAILBOX, BOTH));
    }
    scene.store.away(false);
    for (int i = 0; i < RendezvousAdmin.MAX_PER_MAILBOX; i++) {
      add(scene, MAILBOX, BOTH);
    }
  }

  @Test
  void bothTokensAreGoodWhileARotationOverlaps() {
    DoorScene scene = open();
    Issued old = scene.door.add(scene.operator, MAILBOX, Set.of(Right.POST), null, "mine");
    Duration overlap = Duration.ofMinutes(10);
    Issued fresh = scene.door.rotate(scene.operator, old.stored().id(), overlap);
    assertNotEquals(old.token(), fresh.token());
    assertEquals("mine", fresh.stored().note());
    assertNull(fresh.stored().expires());
    assertInstanceOf(Forbidden.class, scene.admit(Right.GET, fresh.token()), "the same rights");
    assertInstanceOf(Forbidden.class, scene.admitTo(OTHER, Right.POST, fresh.token()));
    scene.time.advance(overlap.minusNanos(1));
    assertTrue(isGood(scene, old.token()) && isGood(scene, fresh.token()));
    scene.time.advance(Duration.ofNanos(1));
    assertFalse(isGood(scene, old.token()));
    assertTrue(isGood(scene, fresh.token()));
    assertTrue(isGood(new DoorScene(scene.store), fresh.token()), "after a restart");
    assertThrows(
        NotFoundException.class,
        () -> scene.door.rotate(scene.operator, old.stored().id(), overlap),
        "it has ended");
  }

  @Test
  void aRotationProlongsNothing() {
    DoorScene scene = open();
    Duration life = Duration.ofMinutes(5);
    Issued old = scene.door.add(scene.operator, null, BOTH, life, "");
    scene.time.advance(Duration.ofMinutes(1));
    Issued fresh =
        scene.door.rotate(scene.operator, old.stored().id(), AccessAdmin.LONGEST_OVERLAP);
    Instant now = scene.time.instant();
    assertEquals(now.plus(life), fresh.stored().expires());
    scene.time.advance(Duration.ofMinutes(4));
    assertFalse(isGood(scene, old.token()));
  }

  @Test
  void aMailboxHasEightTokensAndTheServer64() {
    DoorScene scene = open();
    for (int i = 0; i < 8; i++) {
      add(scene, MAILBOX, BOTH);
    }
    assertThrows(SaturatedException.class, () -> add(scene, MAILBOX, BOTH));
    Issued other = add(scene, OTHER, BOTH);
    for (int i = 1; i < 64; i++) {
      add(scene, null, BOTH);
    }
    assertThrows(SaturatedException.class, () -> add(scene, null, BOTH), "the first made one");
    String last = other.stored().id();
    scene.door.remove(
        scene.operator, scene.door.tokens(scene.operator, "", 1).tokens().get(0).id());
    assertTrue(scene.store.tokens().size() >= 72, last);
  }

  @Test
  void thereAre100000TokensAtMost() {
    TokenCache cache =
        new TokenCache(
            org.svcmailbox.core.settings.RendezvousSettings.AuthMode.PER_MAILBOX, List.of());
    for (int i = 0; i < RendezvousAdmin.MAX_TOKENS - 1; i++) {
      cache.put(
          new StoredToken(
              "%016x".formatted(i),
              "0".repeat(64),
              BOTH,
              Scene.recipient(i),
              Instant.EPOCH,
              null,
              ""));
    }
    RecipientId next = Scene.recipient(RendezvousAdmin.MAX_TOKENS);
    assertTrue(cache.tryReserve(next));
    assertFalse(cache.tryReserve(next));
    cache.release(next);
    assertTrue(cache.tryReserve(next));
  }

  @Test
  void tokensAreListedInPagesByTheirIds() {
    DoorScene scene = open();
    for (int i = 0; i < 6; i++) {
      add(scene, null, BOTH);
    }
    List<String> ids = new ArrayList<>();
    Page page = scene.door.tokens(scene.operator, "", 3);
    while (page.next() != null) {
      page.tokens().forEach(token -> ids.add(token.id()));
      page = scene.door.tokens(scene.operator, String.valueOf(page.next()), 3);
    }
    page.tokens().forEach(token -> ids.add(token.id()));
    assertEquals(scene.store.tokens().stream().map(StoredToken::id).sorted().toList(), ids);
    assertEquals(7, ids.size());
    assertNull(scene.door.tokens(scene.operator, "", 7).next(), "exactly one page");
  }

  @Test
  void requestsOutOfBoundsAreRefused() {
    DoorScene scene = open();
    Caller operator = scene.operator;
    for (Duration life : List.of(AccessAdmin.SHORTEST, AccessAdmin.LONGEST)) {
      scene.door.add(operator, null, BOTH, life, "n".repeat(RendezvousAdmin.MAX_NOTE));
    }
    Duration nano = Duration.ofNanos(1);
    for (Duration life :
        List.of(AccessAdmin.SHORTEST.minus(nano), AccessAdmin.LONGEST.plus(nano))) {
      assertThrows(SchemaException.class, () -> scene.door.add(operator, null, BOTH, life, ""));
    }
    assertThrows(SchemaException.class, () -> scene.door.add(operator, null, Set.of(), null, ""));
    assertThrows(
        SchemaException.class,
        () -> scene.door.add(operator, null, BOTH, null, "n".repeat(RendezvousAdmin.MAX_NOTE + 1)));
    String id = add(scene, null, BOTH).stored().id();
    for (Duration overlap : List.of(nano.negated(), AccessAdmin.LONGEST_OVERLAP.plus(nano))) {
      assertThrows(SchemaException.class, () -> scene.door.rotate(operator, id, overlap));
    }
    for (int limit : List.of(0, RendezvousAdmin.MAX_PAGE + 1)) {
      assertThrows(SchemaException.class, () -> scene.door.tokens(operator, "", limit));
    }
  }

  @Test
  void onlyAnOperatorForAllTopicsAndMailboxesManagesTokens() {
    DoorScene scene = open();
    for (String caveat :
        List.of("topic = orders", "ops = rendezvous.post", "mailbox = " + MAILBOX.hex())) {
      Caller other = scene.operator(caveat);
      assertThrows(DeniedException.class, () -> scene.door.tokens(other, "", 1));
      assertThrows(DeniedException.class, () -> scene.door.add(other, null, BOTH, null, ""));
      assertThrows(DeniedException.class, () -> scene.door.remove(other, "0".repeat(16)));
      assertThrows(
          DeniedException.class, () -> scene.door.rotate(other, "0".repeat(16), Duration.ZERO));
    }
  }

  @Test
  void changesAreAudited() {
    DoorScene scene = open();
    Issued issued = add(scene, MAILBOX, BOTH);
    Issued fresh = scene.door.rotate(scene.operator, issued.stored().id(), Duration.ZERO);
    scene.door.remove(scene.operator, fresh.stored().id());
    assertEquals(
        List.of(
            "rendezvous.token.add",
            "rendezvous.token.add",
            "rendezvous.token.rotate",
            "rendezvous.token.remove"),
        scene.store.audit().stream().map(AuditEntry::action).toList());
  }

  @Test
  void aCapabilityWorksInBothTokenModes() {
    for (String mode : List.of("server_wide", "per_mailbox")) {
      DoorScene scene = open("auth_mode", mode);
      String both = scene.capability();
      String post = scene.capability("ops = rendezvous.post", "mailbox = " + MAILBOX.hex());
      assertInstanceOf(Granted.class, scene.admit(Right.POST, both));
      assertInstanceOf(Granted.class, scene.admit(Right.GET, both));
      assertInstanceOf(Granted.class, scene.admit(Right.POST, post));
      assertInstanceOf(Forbidden.class, scene.admit(Right.GET, post));
      assertInstanceOf(Forbidden.class, scene.admitTo(OTHER, Right.POST, post));
      assertInstanceOf(Forbidden.class, scene.admit(Right.POST, scene.capability("ops = send")));
    }
  }

  @Test
  void aCapabilityForATopicIsDenied() {
    DoorScene scene = open();
    for (String caveat : List.of("topic = orders", "topic = orders.*")) {
      assertInstanceOf(Forbidden.class, scene.admit(Right.POST, scene.capability(caveat)));
    }
  }

  @Test
  void aCapabilityIsJudgedByTheClientsAddress() {
    DoorScene scene = open();
    String token = scene.capability("ip = 192.0.2.1/32");
    assertInstanceOf(Granted.class, scene.admit(Right.POST, "192.0.2.1", token));
    assertInstanceOf(Forbidden.class, scene.admit(Right.POST, "192.0.2.2", token));
  }

  @Test
  void aCapabilityThatCannotBeLookedUpIsNotForbidden() {
    DoorScene scene = open();
    String token = scene.capabilities.mint(scene.operator, List.of(), Duration.ofHours(2)).token();
    scene.capabilityStore.away(true);
    assertInstanceOf(Granted.class, scene.admit(Right.POST, token));
    scene.time.advance(Duration.ofHours(1));
    assertInstanceOf(Unavailable.class, scene.admit(Right.POST, token));
  }

  @Test
  void whatIsRevokedIsHandedNothingAlthoughItWaits() {
    DoorScene scene = open();
    Minted minted = scene.minted();
    Issued issued = add(scene, null, BOTH);
    Outcomes byCapability = await(scene, minted.token());
    Outcomes byToken = await(scene, issued.token());
    Outcomes good = await(scene, scene.capability());
    scene.revoke(minted);
    scene.door.remove(scene.operator, issued.stored().id());
    post(scene);
    assertInstanceOf(Revoked.class, byCapability.only());
    assertInstanceOf(Revoked.class, byToken.only());
    assertEquals("late", Scene.text(good.message()));
  }

  @Test
  void whatEndsWhileItWaitsIsHandedNothing() {
    DoorScene scene = open();
    Issued issued = scene.door.add(scene.operator, null, BOTH, Duration.ofSeconds(10), "");
    Outcomes waiting = await(scene, issued.token());
    scene.time.advance(Duration.ofSeconds(10));
    post(scene);
    assertInstanceOf(Revoked.class, waiting.only());
  }

  private static Outcomes await(DoorScene scene, String token) {
    Granted granted = assertInstanceOf(Granted.class, scene.admit(Right.GET, token));
    Outcomes outcomes = new Outcomes();
    scene.door.get(granted.access(), MAILBOX, WAIT, outcomes::add);
    return outcomes;
  }

  private static void post(DoorScene scene) {
    assertEquals(PostOutcome.STORED, scene.door.post(Scene.ALLOWED, MAILBOX, Scene.body("late")));
  }

  private static List<@Nullable String> owners(DoorScene scene, @Nullable String token) {
    BodyOwners owners = scene.door.bodyOwners(MAILBOX);
    return Arrays.asList(owners.known(token), owners.find(token), owners.known(token));
  }

  @Test
  void bodiesAreReadInTheNameOfTokens() {
    DoorScene scene = open();
    Issued ours = add(scene, MAILBOX, BOTH);
    Issued others = add(scene, OTHER, BOTH);
    String id = "token:" + ours.stored().id();
    assertEquals(List.of(id, id, id), owners(scene, ours.token()));
    for (String stranger : Arrays.asList(others.token(), "nonsense", "", null)) {
      assertEquals(Arrays.asList(null, null, null), owners(scene, stranger));
    }
    Minted capability = scene.minted("ops = rendezvous.post");
    String nonce = capability.id().nonce();
    assertEquals(Arrays.asList(null, nonce, nonce), owners(scene, capability.token()));
  }

  @Test
  void everyoneSendsBodiesWhereNoTokenIsRequired() {
    String anyone = BodyOwners.ANYONE;
    assertEquals(List.of(anyone, anyone, anyone), owners(open("auth_mode", "disabled"), null));
  }
}
