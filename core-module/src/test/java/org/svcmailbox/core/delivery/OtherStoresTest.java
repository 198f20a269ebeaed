package org.svcmailbox.core.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.InMemoryBroker.CommitFault;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.SendLog.Reserved;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;

/** A store that another one took the place of, found at a start or by a running worker. */
class OtherStoresTest {
  private static final String TOPIC = "orders";
  private static final Map<String, String> SETTINGS =
      Map.of("mailbox.workers", "1", "mailbox.ready_shards", "1");

  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  private final MailboxRig rig = new MailboxRig(1, SETTINGS);

  @BeforeEach
  void open() {
    accept("one");
    accept("two");
  }

  private void accept(String key) {
    assertFalse(assertInstanceOf(Accepted.class, rig.send(TOPIC, key, "x")).duplicate());
  }

  private boolean isDuplicate(String key) {
    return assertInstanceOf(Accepted.class, rig.send(TOPIC, key, "x")).duplicate();
  }

  private String refusal() {
    return String.valueOf(assertThrows(StoresRefusedException.class, rig::crash).getMessage());
  }

  private void startAccepting(String refusal) {
    Map<String, String> settings = new HashMap<>(SETTINGS);
    settings.put("mailbox.accept", refusal.substring(refusal.lastIndexOf('=') + 1));
    rig.crashInto(settings);
  }

  /** The same numbers by another process: what both have since the copy differs. */
  private void replaceLogByForeign() {
    Reserved known = rig.log.lastBatch(0);
    InMemorySendLog foreign = new InMemorySendLog(rig.clock);
    SampleShard shard = new SampleShard(1, 0);
    for (long number = 1; number <= known.last().number(); number++) {
      try {
        foreign.reserve(SampleBatch.of(0, number, List.of(shard.row("f" + number, LATER))));
      } catch (SendLog.KeyTakenException e) {
        throw new AssertionError(e);
      }
    }
    rig.log.replaceBy(foreign);
  }

  @Test
  void aRefusedStartChangesNothing() {
    Reserved before = rig.log.lastBatch(0);
    InMemorySendLog older = rig.log.copy();
    accept("three");
    Reserved newer = rig.log.lastBatch(0);
    rig.log.replaceBy(older);
    assertEquals(refusal(), refusal());
    assertEquals(before, rig.log.lastBatch(0));
    assertFalse(newer.equals(before));
  }

  @Test
  void anAcceptedCodeIsSpent() {
    InMemorySendLog older = rig.log.copy();
    accept("three");
    rig.log.replaceBy(older);
    String refusal = refusal();
    assertTrue(refusal.contains("database-older-"), refusal);
    startAccepting(refusal);
    assertFalse(isDuplicate("three"), "a second message rather than none");
    rig.log.replaceBy(older);
    assertThrows(StoresRefusedException.class, rig::crash, "with the accepted code");
  }

  @Test
  void repeatedSendsOfMessagesThatAnOlderBrokerLostAreTaken() {
    rig.broker.crash();
    NavigableMap<Long, LogEntry> older = rig.broker.logOf(0);
    rig.crash();
    accept("three");
    accept("four");
    rig.broker.crash();
    rig.broker.replaceLog(0, older);
    String refusal = refusal();
    assertTrue(refusal.contains("broker-older-"), refusal);
    startAccepting(refusal);
    assertTrue(isDuplicate("one"));
    assertFalse(isDuplicate("three"));
    assertFalse(isDuplicate("four"));
    rig.crash();
  }

  @Test
  void storesOfTwoHistoriesAreRefused() {
    replaceLogByForeign();
    String refusal = refusal();
    assertTrue(refusal.contains("foreign-"), refusal);
    startAccepting(refusal);
    assertFalse(isDuplicate("three"));
    rig.crash();
  }

  /** No operator is there to decide, and a withdrawal cannot be undone. */
  @Test
  void aRunningWorkerThatMeetsAnotherHistoryTakesNoSendsAndHandsOutMessages() {
    replaceLogByForeign();
    rig.broker.failNextCommit(CommitFault.BEFORE);
    rig.send(TOPIC, "lost session", "x");
    rig.time.advance(Duration.ofSeconds(5));

    SendOutcome refused = rig.send(TOPIC, "three", "x");
    assertEquals("store_mismatch", assertInstanceOf(Refusal.class, refused).reason());
    assertTrue(rig.mailbox().storeMismatch().contains("different batches"));
    RecvOutcome received =
        MailboxRig.answered(rig.recv(TOPIC, 10, Duration.ofHours(1), Duration.ZERO).outcome());
    assertEquals(2, assertInstanceOf(Delivered.class, received).messages().size());
  }
}
