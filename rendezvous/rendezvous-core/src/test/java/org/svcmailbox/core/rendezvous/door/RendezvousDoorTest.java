package org.svcmailbox.core.rendezvous.door;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.rendezvous.DoorPorts;
import org.svcmailbox.core.rendezvous.DoorSettings;
import org.svcmailbox.core.rendezvous.GetOutcome.Closing;
import org.svcmailbox.core.rendezvous.GetOutcome.Empty;
import org.svcmailbox.core.rendezvous.InMemoryRendezvousStore;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.RendezvousService.Health;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.mailbox.Scene;
import org.svcmailbox.core.rendezvous.mailbox.Scene.Outcomes;

/** The whole service: ticks, shutdown, health and metrics. */
class RendezvousDoorTest {
  private static final Duration NANO = Duration.ofNanos(1);

  private static DoorScene open(String... settings) {
    return new DoorScene(settings);
  }

  private static PostOutcome post(DoorScene scene, int mailbox, int bytes) {
    return scene.door.post(Scene.ALLOWED, Scene.recipient(mailbox), new byte[bytes]);
  }

  private static Outcomes get(DoorScene scene, int mailbox, Duration wait) {
    Outcomes outcomes = new Outcomes();
    scene.door.get(Scene.ALLOWED, Scene.recipient(mailbox), wait, outcomes::add);
    return outcomes;
  }

  private static long number(DoorScene scene, String name) {
    return scene
        .door
        .metrics()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + scene.door.metrics()));
  }

  @Test
  void aDoorThatIsOffHasNoSettingsAndAsksNobody() {
    InMemoryRendezvousStore store = new InMemoryRendezvousStore();
    store.away(true);
    DoorScene other = open();
    RendezvousDoor off =
        new RendezvousDoor(
            Scene.settings(),
            new DoorPorts(store, other.capabilities, new SecureRandom(), other.time, other.time));
    assertEquals(Optional.empty(), off.settings());
    assertEquals(Optional.empty(), off.firstToken());
    assertEquals(0, off.remaining());
    off.step();
    off.purge();
    off.drain();
    off.close();
    assertThrows(NotFoundException.class, () -> off.tokens(SampleCallers.OPERATOR, "", 1));
    assertThrows(NotFoundException.class, off::health);
  }

  @Test
  void servletsAreToldWhatTheyNeed() {
    DoorScene scene =
        open("max_message_size", "7", "max_connections", "8", "origins", "https://app.example");
    DoorSettings settings = scene.door.settings().orElseThrow();
    assertEquals(7, settings.maxMessageSize());
    assertEquals(8, settings.maxConnections());
    assertEquals(List.of("https://app.example"), settings.origins());
    assertEquals(Duration.ofSeconds(5), settings.shutdownTimeout());
    assertEquals("X-Forwarded-For", settings.forwardedHeader());
    assertEquals(2, settings.metricsFrom().size());
  }

  @Test
  void aTickEndsWaitsAndEvictsWhenThatIsDue() {
    DoorScene scene = open("message_ttl", "1s", "eviction_interval", "10s");
    Outcomes waiting = get(scene, 2, Duration.ofSeconds(5));
    post(scene, 1, 10);
    scene.time.advance(Duration.ofSeconds(10).minus(NANO));
    scene.door.step();
    assertInstanceOf(Empty.class, waiting.only());
    assertEquals(1, number(scene, "total_messages"));
    scene.time.advance(NANO);
    scene.door.step();
    assertEquals(0, number(scene, "total_messages"));
    assertEquals(1, number(scene, "messages_evicted"));
  }

  @Test
  void aClosingDoorIsEmptiedAndCountsWhatIsLostOnce() {
    DoorScene scene = open();
    post(scene, 1, 10);
    post(scene, 1, 10);
    Outcomes waiting = get(scene, 2, Duration.ofSeconds(5));
    scene.door.drain();
    assertEquals(Health.STOPPING, scene.door.health());
    assertInstanceOf(Closing.class, waiting.only());
    assertEquals(PostOutcome.CLOSING, post(scene, 1, 10));
    get(scene, 1, Duration.ZERO).message().written();
    assertEquals(1, scene.door.remaining());
    scene.door.close();
    scene.door.close();
    assertEquals(0, scene.door.remaining());
    assertEquals(1, number(scene, "messages_lost"));
    assertEquals(1, number(scene, "messages_delivered"));
  }

  @Test
  void nobodyHearsOfTheEndWhileAMailboxTakesMessages() {
    DoorScene scene = open();
    Set<PostOutcome> late = EnumSet.noneOf(PostOutcome.class);
    Set<Health> told = EnumSet.noneOf(Health.class);
    for (int mailbox = 0; mailbox < 100; mailbox++) {
      scene.door.get(
          Scene.ALLOWED,
          Scene.recipient(mailbox),
          Duration.ofSeconds(5),
          closing -> {
            told.add(scene.door.health());
            for (int other = 100; other < 200; other++) {
              late.add(post(scene, other, 1));
            }
          });
    }
    scene.door.drain();
    assertEquals(Set.of(PostOutcome.CLOSING), late);
    assertEquals(Set.of(Health.STOPPING), told);
  }

  @Test
  void aDoorIsOverloadedAbove95PercentUntilItIsBelow90() {
    DoorScene scene = open("max_mailboxes", "100");
    for (int i = 0; i < 95; i++) {
      post(scene, i, 0);
    }
    assertEquals(Health.HEALTHY, scene.door.health(), "95 % is not above");
    post(scene, 95, 0);
    assertEquals(Health.OVERLOADED, scene.door.health());
    scene.time.advance(Duration.ofMinutes(30));
    scene.door.step();
    for (int i = 6; i < 96; i++) {
      get(scene, i, Duration.ZERO).only();
    }
    scene.time.advance(Duration.ofMinutes(30));
    scene.door.step();
    assertEquals(90, number(scene, "active_mailboxes"));
    assertEquals(Health.OVERLOADED, scene.door.health(), "90 % is not below");
    scene.time.advance(Duration.ofMinutes(30));
    scene.door.step();
    assertEquals(Health.HEALTHY, scene.door.health());
  }

  @Test
  void bytesWaitersAndConnectionsOverloadADoorToo() {
    DoorScene scene = open("max_waiting", "10", "max_connections", "100", "max_bytes", "2097152");
    scene.door.connections(95);
    assertEquals(Health.HEALTHY, scene.door.health());
    scene.door.connections(96);
    assertEquals(Health.OVERLOADED, scene.door.health());
    scene.door.connections(90);
    assertEquals(Health.OVERLOADED, scene.door.health());
    scene.door.connections(89);
    assertEquals(Health.HEALTHY, scene.door.health());
    for (int i = 0; i < 10; i++) {
      get(scene, 2, Duration.ofSeconds(1));
    }
    assertEquals(Health.OVERLOADED, scene.door.health());
    scene.time.advance(Duration.ofSeconds(1));
    scene.door.step();
    assertEquals(Health.HEALTHY, scene.door.health());
    post(scene, 1, 2_000_000);
    assertEquals(Health.OVERLOADED, scene.door.health());
  }

  @Test
  void whatWasOverBetweenTwoQuestionsIsNotForgotten() {
    DoorScene scene = open("max_connections", "100");
    scene.door.connections(96);
    scene.door.step();
    scene.door.connections(92);
    assertEquals(Health.OVERLOADED, scene.door.health());
  }

  @Test
  void aDoorWhoseEvictionIsThreeIntervalsLateIsOverloaded() {
    DoorScene scene = open("eviction_interval", "10s");
    scene.time.advance(Duration.ofSeconds(40).minus(NANO));
    assertEquals(Health.HEALTHY, scene.door.health());
    scene.time.advance(NANO);
    assertEquals(Health.OVERLOADED, scene.door.health());
    scene.door.step();
    assertEquals(Health.HEALTHY, scene.door.health());
  }

  @Test
  void metricsHaveTheirNames() {
    DoorScene scene = open("posts_per_minute", "1");
    String text = scene.door.metrics();
    for (String name :
        List.of(
            "active_mailboxes",
            "total_messages",
            "messages_posted",
            "messages_delivered",
            "messages_evicted",
            "messages_returned",
            "messages_lost",
            "rate_limit_hits")) {
      assertTrue(text.contains("\n# TYPE " + name + " ") || text.startsWith("# HELP " + name));
      assertEquals(0, number(scene, name));
    }
    for (String line :
        List.of(
            "# TYPE request_latency histogram",
            "request_latency_bucket{op=\"post\",le=\"0.0005\"} 0.0",
            "request_latency_count{op=\"get\"} 0.0",
            "# TYPE error_counts counter",
            "error_counts{error=\"queue_full\"} 0",
            "rendezvous_wakeup_seconds_bucket{le=\"+Inf\"} 0.0",
            "rendezvous_wakeup_seconds_count 0.0")) {
      assertTrue(text.contains(line + "\n"), () -> line + " is not in " + text);
    }
  }

  @Test
  void metricsCountWhatHappens() {
    DoorScene scene = open("auth_mode", "disabled", "posts_per_minute", "1");
    scene.door.answered(Right.POST, 202, Duration.ofMillis(2));
    scene.door.answered(Right.POST, 507, Duration.ofMillis(2));
    scene.door.answered(Right.GET, 200, Duration.ofMillis(700));
    scene.door.answered(Right.GET, 599, Duration.ZERO);
    scene.post("192.0.2.1");
    scene.post("192.0.2.1");
    assertEquals(1, number(scene, "messages_posted"));
    assertEquals(1, number(scene, "rate_limit_hits"));
    assertEquals(2, number(scene, "request_latency_count{op=\"post\"}"));
    assertEquals(1, number(scene, "request_latency_bucket{op=\"get\",le=\"0.5\"}"));
    assertEquals(2, number(scene, "request_latency_bucket{op=\"get\",le=\"1\"}"));
    assertEquals(1, number(scene, "error_counts{error=\"queue_full\"}"));
    assertEquals(1, number(scene, "error_counts{error=\"other\"}"));
    Outcomes waiting = get(scene, 1, Duration.ofSeconds(1));
    post(scene, 1, 1);
    scene.time.advance(Duration.ofMillis(3));
    waiting.message().failed();
    get(scene, 1, Duration.ZERO).message().written();
    Outcomes again = get(scene, 1, Duration.ofSeconds(1));
    post(scene, 1, 1);
    scene.time.advance(Duration.ofMillis(3));
    again.message().written();
    assertEquals(1, number(scene, "messages_returned"));
    assertEquals(2, number(scene, "messages_delivered"));
    assertEquals(1, number(scene, "rendezvous_wakeup_seconds_count"));
    assertEquals(0, number(scene, "rendezvous_wakeup_seconds_bucket{le=\"0.0025\"}"));
    assertEquals(1, number(scene, "rendezvous_wakeup_seconds_bucket{le=\"0.005\"}"));
  }

  @Test
  void whoIsRefusedIsToldToComeBackInASecondAtLeast() {
    DoorScene scene = open();
    assertEquals(Duration.ofSeconds(1), scene.door.retryAfter(), "nothing is known yet");
    scene.time.advance(Duration.ofSeconds(1));
    assertEquals(Duration.ofSeconds(30), scene.door.retryAfter(), "nothing has gone");
    for (int i = 0; i < 10; i++) {
      post(scene, 1, 1);
      get(scene, 1, Duration.ZERO).message().written();
    }
    scene.door.step();
    assertEquals(Duration.ofSeconds(1), scene.door.retryAfter());
  }
}
