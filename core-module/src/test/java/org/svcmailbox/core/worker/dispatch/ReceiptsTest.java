package org.svcmailbox.core.worker.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Instant;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.worker.state.Groups;

class ReceiptsTest {
  private static final Instant BORN = Instant.ofEpochMilli(1_000);

  private final Receipts receipts = new Receipts(new Random(1), Groups.ofWorkers(2), BORN);

  private static MsgId message(long createdAt) {
    return MsgId.create(1, Instant.ofEpochMilli(createdAt));
  }

  @Test
  void receiptsDiffer() {
    assertEquals(
        1_000, Stream.generate(() -> receipts.next(message(0))).limit(1_000).distinct().count());
  }

  /** A message that is younger than this life had no lease in an earlier one. */
  @ParameterizedTest
  @CsvSource({"999, true", "1000, true", "1001, false"})
  void aReceiptOfAnEarlierLifeIsForAMessageOfThen(long createdAt, boolean isPossible) {
    Receipt earlier = earlier(createdAt);
    assertEquals(isPossible, receipts.isOfEarlierLife(earlier, message(createdAt)));
    assertFalse(receipts.isOfEarlierLife(receipts.next(message(createdAt)), message(createdAt)));
  }

  private static Receipt earlier(long createdAt) {
    return new Receipts(new Random(2), Groups.ofWorkers(2), Instant.EPOCH).next(message(createdAt));
  }

  /** A group that was away and came back; the worker's other group has its first life. */
  @ParameterizedTest
  @CsvSource({"1, 1999, true", "1, 2000, true", "1, 2001, false", "2, 1000, false"})
  void aGroupThatCameBackHasAnotherLife(int slot, long createdAt, boolean isPossible) {
    MsgId message = MsgId.create(slot, Instant.ofEpochMilli(createdAt));
    Receipt before = receipts.next(message);
    receipts.begin(WorkerId.of(1), Instant.ofEpochMilli(2_000));
    assertEquals(isPossible, receipts.isOfEarlierLife(before, message));
    assertFalse(receipts.isOfEarlierLife(receipts.next(message), message));
  }
}
