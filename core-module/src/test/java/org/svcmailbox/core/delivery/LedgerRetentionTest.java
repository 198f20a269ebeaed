package org.svcmailbox.core.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.topic.Topic;

class LedgerRetentionTest {
  private static final String TOPIC = "orders";
  private static final Duration DAY = Duration.ofDays(1);

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
    int topics = LedgerRetention.LEDGERS + 5;
    for (int topic = 0; topic < topics; topic++) {
      rig.send("topic-" + topic, "a", "x");
      rig.send("topic-" + topic, "b", "x");
    }
    rig.pass(DAY.multipliedBy(4));

    assertEquals(LedgerRetention.LEDGERS, rig.mailbox().trimLedgers());
    assertEquals(5, rig.mailbox().trimLedgers());
    assertEquals(0, rig.mailbox().trimLedgers());
  }

  @Test
  void theLedgersOfADeletedTopicGo() {
    rig.send(TOPIC, "a", "x");
    Topic topic = rig.mailbox().topic(new TopicName(TOPIC));
    // Nobody steps the workers while deletion waits for them: the log is told directly.
    rig.topics.delete(topic.name());
    assertEquals(1, rig.log.ledger(topic.id(), 0, 1, 10).size());

    rig.mailbox().trimLedgers();

    assertTrue(rig.log.ledger(topic.id(), 0, 1, 10).isEmpty());
  }

  private LedgerHead start() {
    return rig.log.ledgerStart(topicId(), 0);
  }

  private List<LedgerEntry> entries() {
    return rig.log.ledger(topicId(), 0, 1, 100);
  }

  private int topicId() {
    return rig.mailbox().topic(new TopicName(TOPIC)).id();
  }
}
