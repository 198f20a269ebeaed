package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.topic.Topic;

class LedgerRetentionTest {
  private static final String TOPIC = "orders";
  private static final Duration DAY = Duration.ofDays(1);
  private static final String LEAST_BYTES = "16777216";

  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.retention.ledger", "3d", "mailbox.ready_shards", "1"));

  @Test
  void whatIsOlderThanTheRetentionGoes() {
    for (int day = 0; day < 6; day++) {
      rig.send(TOPIC, "k" + day, "x");
      rig.pass(DAY);
    }
    // Sent six, five and four days ago; that of three days ago is not older than three days.
    assertEquals(3, rig.mailbox().trimLedgers());
    assertEquals(0, rig.mailbox().trimLedgers());
    assertEquals(List.of(4L, 5L, 6L), entries().stream().map(LedgerEntry::seq).toList());
    assertEquals(new LedgerVerdict.Intact(6), LedgerVerdict.check(start(), entries()));
  }

  @Test
  void aLedgerGoesOnAfterAllButItsLastEntryWasTrimmed() {
    rig.send(TOPIC, "a", "x");
    rig.send(TOPIC, "b", "x");
    rig.pass(DAY.multipliedBy(100));
    assertEquals(1, rig.mailbox().trimLedgers());
    rig.crash();

    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "c", "x"));

    assertEquals(new LedgerVerdict.Intact(3), LedgerVerdict.check(start(), entries()));
    assertEquals(2, entries().size());
  }

  @Test
  void anEntryTakenOutBeforeItsTimeStillShows() {
    for (int i = 0; i < 4; i++) {
      rig.send(TOPIC, "k" + i, "x");
    }
    rig.pass(DAY.multipliedBy(100));
    rig.mailbox().trimLedgers();
    rig.send(TOPIC, "later", "x");

    List<LedgerEntry> forged = entries().subList(1, 2);
    assertEquals(new LedgerVerdict.BrokenAt(4), LedgerVerdict.check(start(), forged));
  }

  @Test
  void aStepIsBoundedAndTheNextOneGoesOn() {
    int topics = LedgerRetention.ASKED + 5;
    for (int topic = 0; topic < topics; topic++) {
      rig.send("topic-" + topic, "a", "x");
      rig.send("topic-" + topic, "b", "x");
    }
    rig.pass(DAY.multipliedBy(4));

    assertEquals(0, rig.mailbox().trimLedgers(), "not all ledgers were asked");
    assertEquals(topics, rig.mailbox().trimLedgers());
    assertEquals(0, rig.mailbox().trimLedgers());
  }

  @Test
  void oneStepRemovesAsManyAsAreDue() {
    int entries = 3 * LedgerRetention.BATCHES;
    for (int i = 0; i <= entries; i++) {
      rig.send(TOPIC, "k" + i, "x");
    }
    rig.pass(DAY.multipliedBy(4));
    assertEquals(entries, rig.mailbox().trimLedgers());
    assertEquals(1, entries().size());
  }

  @Test
  void beyondTheBytesTheOldestEntriesOfAllLedgersGoFirst() {
    with(Map.of("mailbox.ready_shards", "1", "mailbox.retention.ledger_bytes", LEAST_BYTES));
    List<String> topics = List.of("first", "second", "third");
    for (int i = 0; i < 4; i++) {
      for (String topic : topics) {
        rig.send(topic, "k" + i, "x");
        rig.pass(Duration.ofHours(1));
      }
    }
    bound(7L * InMemoryProjectionStore.ENTRY_BYTES);

    assertEquals(5, rig.mailbox().trimLedgers());

    assertEquals(List.of(3L, 4L), seqs("first"));
    assertEquals(List.of(3L, 4L), seqs("second"));
    assertEquals(List.of(2L, 3L, 4L), seqs("third"));
    assertEquals(0, rig.mailbox().trimLedgers());
    for (String topic : topics) {
      assertEquals(new LedgerVerdict.Intact(4), LedgerVerdict.check(start(topic), entries(topic)));
    }
  }

  @Test
  void aTopicThatWritesMuchShortensItsOwnLedgersOnly() {
    with(Map.of("mailbox.ready_shards", "1", "mailbox.retention.ledger_bytes", LEAST_BYTES));
    for (int i = 0; i < 4; i++) {
      rig.send("quiet", "k" + i, "x");
    }
    rig.pass(Duration.ofHours(1));
    for (int i = 0; i < 30; i++) {
      rig.send("noisy", "k" + i, "x");
    }
    bound(14L * InMemoryProjectionStore.ENTRY_BYTES);

    assertEquals(20, rig.mailbox().trimLedgers());

    assertEquals(List.of(1L, 2L, 3L, 4L), seqs("quiet"));
    assertEquals(10, seqs("noisy").size());
  }

  @Test
  void theBoundIsKeptHoweverManyEntriesAreTooMany() {
    with(Map.of("mailbox.ready_shards", "1", "mailbox.retention.ledger_bytes", LEAST_BYTES));
    int most = 50;
    bound((long) most * InMemoryProjectionStore.ENTRY_BYTES);
    for (int i = 0; i < 3 * LedgerRetention.BATCHES; i++) {
      rig.send(TOPIC, "k" + i, "x");
    }
    rig.mailbox().trimLedgers();
    assertTrue(entries().size() <= most, () -> entries().size() + " entries");
    assertEquals((long) InMemoryProjectionStore.ENTRY_BYTES * entries().size(), used());
  }

  @Test
  void whatNeverGoesKeepsNoStepBusy() {
    with(Map.of("mailbox.ready_shards", "1", "mailbox.retention.ledger_bytes", LEAST_BYTES));
    bound(0);
    for (int i = 0; i < 5; i++) {
      rig.send("topic-" + i, "only", "x");
    }
    assertEquals(0, rig.mailbox().trimLedgers());
    assertEquals(5L * InMemoryProjectionStore.ENTRY_BYTES, used());
  }

  @Test
  void aTopicMadeLaterIsAskedToo() {
    rig.send(TOPIC, "a", "x");
    rig.mailbox().trimLedgers();
    rig.send("later", "a", "x");
    rig.send("later", "b", "x");
    rig.pass(DAY.multipliedBy(4));
    assertEquals(1, rig.mailbox().trimLedgers());
    assertEquals(List.of(2L), seqs("later"));
  }

  @Test
  void theLedgersOfADeletedTopicGo() {
    rig.send(TOPIC, "a", "x");
    Topic topic = rig.mailbox().directory().existing(new TopicName(TOPIC));
    // No worker runs that deletion could wait for: the log is told directly.
    rig.topics.delete(topic.id(), topic.name());
    assertEquals(1, rig.ledger(topic, 0).size());

    rig.mailbox().trimLedgers();

    assertTrue(rig.ledger(topic, 0).isEmpty());
  }

  @Test
  void oneStepRemovesAllOfADeletedTopic() {
    for (int i = 0; i < 3 * LedgerRetention.BATCHES; i++) {
      rig.send(TOPIC, "k" + i, "x");
    }
    Topic topic = rig.mailbox().directory().existing(new TopicName(TOPIC));
    rig.topics.delete(topic.id(), topic.name());

    rig.mailbox().trimLedgers();

    assertTrue(rig.ledger(topic, 0).isEmpty());
    assertEquals(0, used());
  }

  private void with(Map<String, String> settings) {
    rig.crashInto(settings);
  }

  private long used() {
    return rig.mailbox().limits().ledgerBytes().count();
  }

  private LedgerHead start() {
    return start(TOPIC);
  }

  private LedgerHead start(String topic) {
    return rig.log.ledgerStart(new LedgerId(topic(topic).id(), 0));
  }

  private List<LedgerEntry> entries() {
    return entries(TOPIC);
  }

  private List<LedgerEntry> entries(String topic) {
    return rig.ledger(topic(topic), 0);
  }

  private List<Long> seqs(String topic) {
    return entries(topic).stream().map(LedgerEntry::seq).toList();
  }

  private Topic topic(String name) {
    return rig.mailbox().directory().existing(new TopicName(name));
  }

  /** Sets the most bytes of all ledgers. */
  private void bound(long bytes) {
    boolean unused = rig.mailbox().limits().ledgerBytes().tryAdd(0, bytes);
  }
}
