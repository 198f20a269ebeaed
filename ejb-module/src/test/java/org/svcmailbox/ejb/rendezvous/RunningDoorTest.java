package org.svcmailbox.ejb.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.rendezvous.Access;
import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.InMemoryRendezvousStore;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousService.Health;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.door.RendezvousDoor;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.supervision.Supervisor;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.ejb.capability.OwnersFile;
import org.svcmailbox.test.concurrent.Deadline;

/** A running service: its threads, its first token, and its shutdown. */
class RunningDoorTest {
  private static final RecipientId MAILBOX = new RecipientId("0123456789abcdef".repeat(4));
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Access ACCESS = new Access(null, () -> true);

  @TempDir private Path directory;

  private final TestTime time = new TestTime();
  private final InMemoryRendezvousStore store = new InMemoryRendezvousStore();
  private final MailboxSettings settings = DoorFixture.settings(Map.of());
  private final AtomicBoolean dies = new AtomicBoolean();
  private final RendezvousDoor door = DoorFixture.door(settings, store, this::nanos);
  private final List<Long> pauses = new ArrayList<>();
  private final Supervisor supervisor =
      new Supervisor(Thread::new, System::nanoTime, new Random(1));

  private long nanos() {
    if (dies.get() && Thread.currentThread().getName().equals(RunningDoor.TICKER)) {
      dies.set(false);
      throw new StackOverflowError("planted");
    }
    return time.nanos();
  }

  @AfterEach
  void end() {
    supervisor.end();
  }

  private RunningDoor run(LongConsumer pause) {
    supervisor.begin();
    return new RunningDoor(
        door,
        TIMEOUT,
        new RunningDoor.Time(time::nanos, pause),
        supervisor,
        new Tasks("rendezvous"),
        Thread::new);
  }

  /** Advances time while a drain waits. */
  private void pause(long nanos) {
    pauses.add(nanos);
    time.advance(Duration.ofNanos(nanos));
  }

  private void post() {
    assertEquals(PostOutcome.STORED, door.post(ACCESS, MAILBOX, new byte[] {1}));
  }

  private GetOutcome take() {
    List<GetOutcome> outcomes = new ArrayList<>();
    door.get(ACCESS, MAILBOX, Duration.ZERO, outcomes::add);
    return outcomes.get(0);
  }

  private boolean counts(String metric) {
    return door.metrics().lines().anyMatch(line -> line.equals(metric));
  }

  @Test
  void theFirstTokenOpensTheDoorAndOnlyItsOwnerReadsIt() throws IOException {
    OwnersFile file = new OwnersFile(directory.resolve("mailbox"), "rendezvous.token");
    RunningDoor.provideToken(door.firstToken(), file);
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())));
    String token = file.read().orElseThrow();
    assertInstanceOf(
        AccessAnswer.Granted.class,
        door.admit(new AccessRequest(MAILBOX, Right.POST, null, token, false)));
  }

  @Test
  void aLaterStartLeavesTheFileAsItIs() throws IOException {
    RendezvousDoor later = DoorFixture.door(settings, store, time);
    assertEquals(Optional.empty(), later.firstToken());
    OwnersFile file = new OwnersFile(directory, "rendezvous.token");
    RunningDoor.provideToken(later.firstToken(), file);
    assertEquals(Optional.empty(), file.read());
  }

  @Test
  void onlyADoorThatIsOpenToEveryoneWarns() {
    try (Logged logged = new Logged(RunningDoor.class)) {
      RunningDoor.warn(settings.rendezvous());
      assertEquals(List.of(), logged.lines(Level.WARNING));
      Map<String, String> open = Map.of("auth_mode", "disabled", "listen_addr", "0.0.0.0:8090");
      RunningDoor.warn(DoorFixture.settings(open).rendezvous());
      assertEquals(1, logged.lines(Level.WARNING).size());
      assertTrue(logged.lines(Level.WARNING).get(0).contains("0.0.0.0:8090 is open to everyone"));
    }
  }

  @Test
  void aWaitEndsWithATickAfterItsTime() {
    RunningDoor running = run(this::pause);
    List<GetOutcome> outcomes = new CopyOnWriteArrayList<>();
    door.get(ACCESS, MAILBOX, Duration.ofSeconds(1), outcomes::add);
    time.advance(Duration.ofSeconds(1));
    Deadline.in(Duration.ofSeconds(10)).await(() -> !outcomes.isEmpty(), () -> "the end of a wait");
    assertInstanceOf(GetOutcome.Empty.class, outcomes.get(0));
    running.drain();
  }

  @Test
  void aTickerThatDiesIsStartedAgainAndHealthTells() {
    RunningDoor running = run(this::pause);
    dies.set(true);
    Deadline deadline = Deadline.in(Duration.ofSeconds(20));
    deadline.await(
        () -> supervisor.vital().detail().contains(RunningDoor.TICKER + " died"),
        () -> "the death of the ticker");
    List<GetOutcome> outcomes = new CopyOnWriteArrayList<>();
    door.get(ACCESS, MAILBOX, Duration.ofSeconds(1), outcomes::add);
    time.advance(Duration.ofSeconds(1));
    deadline.await(() -> !outcomes.isEmpty(), () -> "a tick of the next one");
    running.drain();
  }

  @Test
  void anEmptyDoorDrainsAtOnceAndEndsItsThreads() {
    RunningDoor running = run(this::pause);
    running.drain();
    assertEquals(List.of(), pauses);
    assertEquals(PostOutcome.CLOSING, door.post(ACCESS, MAILBOX, new byte[1]));
    assertEquals(Health.STOPPING, door.health());
    assertFalse(
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .anyMatch(name -> name.equals(RunningDoor.TICKER) || name.equals(RunningDoor.PURGER)));
  }

  @Test
  void aDrainWaitsUntilTheLastMessageIsTaken() {
    RunningDoor running = run(nanos -> takeAtTheThird());
    post();
    running.drain();
    assertEquals(3, pauses.size());
    assertTrue(counts("messages_lost 0") || counts("messages_lost_total 0"), door::metrics);
  }

  private void takeAtTheThird() {
    pause(1);
    assertEquals(PostOutcome.CLOSING, door.post(ACCESS, MAILBOX, new byte[1]), "while it drains");
    if (pauses.size() == 3) {
      assertInstanceOf(GetOutcome.Found.class, take()).handover().written();
    }
  }

  @Test
  void whatIsNotTakenByTheTimeoutIsLostAndCountedAndSaidOnce() {
    RunningDoor running = run(this::pause);
    post();
    post();
    try (Logged logged = new Logged(RendezvousDoor.class)) {
      running.drain();
      running.drain();
      assertEquals(TIMEOUT.toNanos(), pauses.stream().mapToLong(each -> each).sum());
      assertTrue(counts("messages_lost 2") || counts("messages_lost_total 2"), door::metrics);
      assertEquals(1, logged.lines(Level.WARNING).size());
    }
    assertEquals(0, door.remaining());
  }
}
