package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Fault;
import org.svcmailbox.core.topic.ShardId;

/**
 * A second topic in a random program: it is created, sent to and deleted repeatedly, and its
 * deletions fail at each of their steps. The model is the set of its messages.
 */
final class DoomedTopic {
  private static final TopicName NAME = new TopicName("doomed");

  /** Steps of a deletion: each shard's queue, then the row. */
  private static final int QUEUES = 3;

  private final MailboxRig rig;
  private final Random random;
  private final boolean faults;
  private final Set<MsgId> live = new HashSet<>();
  private boolean there;
  private boolean ending;
  private int sent;
  private int refused;
  private int deleted;
  private int failed;

  /**
   * @param faults whether a worker may lose its session for other reasons
   */
  DoomedTopic(MailboxRig rig, Random random, boolean faults) {
    this.rig = rig;
    this.random = random;
    this.faults = faults;
  }

  /** Does something at random and checks the contents. */
  void act() {
    if (random.nextInt(4) > 0) {
      send();
    } else if (there) {
      delete();
    }
    check();
  }

  /** Called after maintenance, which ends unfinished deletions. */
  void looked() {
    if (ending) {
      gone();
    }
    check();
  }

  /** The process died: an unfinished deletion is forgotten, unless the row was gone. */
  void crashed() {
    there = rig.mailbox().directory().find(NAME).isPresent();
    if (ending) {
      ending = false;
      live.retainAll(held());
    }
    check();
  }

  /** Whether the program met the intended cases. */
  boolean wasMet() {
    return deleted > 10 && failed > 10 && refused > 10;
  }

  private void send() {
    SendOutcome outcome = rig.send(NAME.value(), "key-" + sent++, "x");
    if (faults && !rig.mailbox().isHealthy()) {
      // It may have been accepted; the program continues with its recovery.
      there = rig.mailbox().directory().find(NAME).isPresent();
    } else if (ending) {
      assertEquals("topic_changed", assertInstanceOf(Refusal.class, outcome).reason());
      refused++;
    } else if (!(faults && outcome instanceof Refusal)) {
      there = true;
      live.add(assertInstanceOf(SendOutcome.Accepted.class, outcome).msgId());
    }
  }

  private void delete() {
    int step = random.nextInt(QUEUES + 4);
    if (step <= QUEUES) {
      rig.broker.failNextDeletion(step);
    } else if (step < QUEUES + 3) {
      rig.topics.failNext(step == QUEUES + 1 ? Fault.BEFORE : Fault.AFTER);
    }
    try {
      rig.operate(() -> rig.mailbox().topicAdmin().delete(rig.caller, NAME));
      assertEquals(QUEUES + 3, step, "a deletion that failed was answered");
      gone();
    } catch (CompletionException e) {
      assertInstanceOf(UnavailableException.class, e.getCause());
      assertTrue(step < QUEUES + 3, "a deletion failed without cause");
      ending = true;
      failed++;
    }
  }

  private void gone() {
    assertTrue(rig.mailbox().directory().find(NAME).isEmpty(), "its deletion does not end");
    there = false;
    ending = false;
    live.clear();
    deleted++;
  }

  private void check() {
    Set<MsgId> held = held();
    if (!faults) {
      assertTrue(live.containsAll(held), "a message of a topic that was deleted");
    }
    assertTrue(ending || held.containsAll(live), "a message of a topic that is there is lost");
    if (rig.mailbox().isHealthy()) {
      rig.mailbox().directory().openShards(NAME).forEach(this::checkGauge);
    }
  }

  private void checkGauge(ShardId shard) {
    long depth = rig.mailbox().limits().counters(shard).depth();
    assertEquals(rig.broker.messages(shard), depth, "depth of " + shard);
  }

  private Set<MsgId> held() {
    return rig.broker.everything().values().stream()
        .map(StoredMessage::envelope)
        .filter(envelope -> envelope.topic().equals(NAME))
        .map(Envelope::msgId)
        .collect(Collectors.toSet());
  }
}
