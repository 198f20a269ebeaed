package org.svcmailbox.core.worker.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Instant;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.MsgId;

class ReceiptsTest {
  private static final Instant BORN = Instant.ofEpochMilli(1_000);

  private final Receipts receipts = new Receipts(new Random(1), BORN);

  private static MsgId message(long createdAt) {
    return MsgId.create(1, Instant.ofEpochMilli(createdAt));
  }

  @Test
  void receiptsDiffer() {
    assertEquals(1_000, Stream.generate(receipts::next).limit(1_000).distinct().count());
  }

  /** A message that is younger than this life had no lease in an earlier one. */
  @ParameterizedTest
  @CsvSource({"999, true", "1000, true", "1001, false"})
  void aReceiptOfAnEarlierLifeIsForAMessageOfThen(long createdAt, boolean isPossible) {
    Receipt earlier = new Receipts(new Random(2), Instant.EPOCH).next();
    assertEquals(isPossible, receipts.isOfEarlierLife(earlier, message(createdAt)));
    assertFalse(receipts.isOfEarlierLife(receipts.next(), message(createdAt)));
  }
}
