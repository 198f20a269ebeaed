package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.StoresRefusedException;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;

/** A start with another number of workers and an older database. */
class ResizedWorkersTest {
  private static final String TOPIC = "orders";
  private static final int SHARDS = 16;

  private static Map<String, String> settings(int workers) {
    return Map.of(
        "mailbox.workers", String.valueOf(workers), "mailbox.ready_shards", String.valueOf(SHARDS));
  }

  private final MailboxRig rig = new MailboxRig(1, settings(1));

  private void startWith(int workers) {
    rig.crashInto(settings(workers));
  }

  private void accept(String prefix) {
    IntStream.range(0, 20).forEach(i -> assertFalse(isDuplicate(prefix + i), prefix + i));
  }

  private void repeat(String prefix) {
    IntStream.range(0, 20).forEach(i -> assertTrue(isDuplicate(prefix + i), prefix + i));
  }

  private boolean isDuplicate(String key) {
    return assertInstanceOf(Accepted.class, rig.send(TOPIC, key, "x")).duplicate();
  }

  /** Neither a number nor a key is given twice, and no ledger has a hole. */
  private void assertWhole(int messages) {
    int topic = rig.mailbox().directory().existing(new TopicName(TOPIC)).id();
    long entries = 0;
    for (int shard = 0; shard < SHARDS; shard++) {
      LedgerId ledger = new LedgerId(topic, shard);
      long end = rig.log.heads().getOrDefault(ledger, LedgerHead.EMPTY).seq();
      assertEquals(
          new LedgerVerdict.Intact(end),
          LedgerVerdict.check(LedgerHead.EMPTY, rig.log.ledger(ledger, 1, Integer.MAX_VALUE)));
      entries += end;
    }
    assertEquals(messages, entries);
  }

  @ParameterizedTest
  @CsvSource({"2, 3", "3, 4", "4, 6", "1, 6", "6, 1", "3, 2", "2, 1"})
  void anOlderDatabaseIsBroughtUpToDate(int before, int after) {
    startWith(before);
    accept("a");
    InMemoryProjectionStore older = rig.log.copy();
    accept("b");
    rig.log.replaceBy(older);
    startWith(after);
    repeat("a");
    repeat("b");
    accept("c");
    startWith(before);
    repeat("c");
    assertWhole(60);
  }

  /** From before the change: both numbers of workers have batches that it lacks. */
  @ParameterizedTest
  @CsvSource({"2, 3", "3, 4", "4, 6", "1, 6"})
  void aDatabaseFromBeforeMoreWorkersIsBroughtUpToDate(int before, int after) {
    startWith(before);
    accept("a");
    InMemoryProjectionStore older = rig.log.copy();
    accept("b");
    startWith(after);
    accept("c");
    rig.log.replaceBy(older);
    startWith(after);
    repeat("b");
    repeat("c");
    accept("d");
    assertWhole(80);
  }

  /** The logs of workers that there are no longer are emptied, so only an operator can say. */
  @ParameterizedTest
  @CsvSource({"6, 1", "3, 2", "2, 1"})
  void aDatabaseFromBeforeFewerWorkersIsRefused(int before, int after) {
    startWith(before);
    accept("a");
    InMemoryProjectionStore older = rig.log.copy();
    accept("b");
    startWith(after);
    accept("c");
    rig.log.replaceBy(older);
    String refusal =
        String.valueOf(assertThrows(StoresRefusedException.class, rig::crash).getMessage());
    assertTrue(refusal.contains("database-older-"), refusal);
  }

  /** The second loss is of numbers that only the log tells of. */
  @Test
  void theSameOldDatabaseAcceptedTwiceGivesNoNumberTwice() {
    startWith(2);
    accept("a");
    InMemoryProjectionStore older = rig.log.copy();
    long first = lossOf(older, "b");
    long second = lossOf(older, "c");
    assertTrue(second > first + 1_000, first + " and " + second);
  }

  private long lossOf(InMemoryProjectionStore older, String prefix) {
    for (int i = 0; i < 80; i++) {
      accept(prefix + i + "-");
    }
    rig.log.replaceBy(older);
    String refusal =
        String.valueOf(assertThrows(StoresRefusedException.class, rig::crash).getMessage());
    rig.crashInto(
        Map.of(
            "mailbox.workers",
            "2",
            "mailbox.ready_shards",
            String.valueOf(SHARDS),
            "mailbox.accept",
            refusal.substring(refusal.lastIndexOf('=') + 1)));
    accept(prefix + "last");
    return rig.log.heads().values().stream().mapToLong(LedgerHead::seq).max().orElse(0);
  }
}
