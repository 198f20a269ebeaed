package org.svcmailbox.core.worker.settle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.worker.settle.EndedLeasePolicy.AnswerNow;
import org.svcmailbox.core.worker.settle.EndedLeasePolicy.Ruling;
import org.svcmailbox.core.worker.settle.EndedLeasePolicy.TryLateAck;
import org.svcmailbox.core.worker.state.SettledMessages.Fate;

class EndedLeasePolicyTest {
  private static final MsgId MESSAGE = MsgId.create(1, Instant.EPOCH);
  private static final Receipt LAST = new Receipt("last");
  private static final Receipt EARLIER = new Receipt("earlier");

  private static List<SettleRequest> calls(@Nullable Receipt receipt) {
    return List.of(
        new SettleRequest.Ack(MESSAGE, receipt),
        new SettleRequest.Nack(MESSAGE, receipt, null, null),
        new SettleRequest.Reject(MESSAGE, receipt, "bad"),
        new SettleRequest.Extend(MESSAGE, receipt, Duration.ofSeconds(1)));
  }

  private static String decided(SettleRequest request, Fate fate, @Nullable Receipt receipt) {
    Ruling ruling = EndedLeasePolicy.decide(request, fate, receipt);
    if (ruling instanceof AnswerNow answer) {
      return answer.outcome() instanceof SettleOutcome.Stale stale
          ? stale.why().text()
          : answer.outcome().equals(SettleOutcome.DONE) ? "done" : answer.toString();
    }
    return ruling instanceof TryLateAck ? "late" : ruling.toString();
  }

  /** The answers to an ACK, a NACK, a rejection and an EXTEND. */
  @ParameterizedTest
  @CsvSource({
    "ACKED, done, acked, acked, acked",
    "EXPIRED, late, expired, expired, expired",
    "NACKED, superseded, superseded, superseded, superseded",
    "REJECTED, superseded, superseded, done, superseded",
    "DEAD, expired, expired, expired, expired"
  })
  void theLastHolderAndACallWithoutAReceiptGetTheSame(
      Fate fate, String ack, String nack, String reject, String extend) {
    List<String> expected = List.of(ack, nack, reject, extend);
    for (Receipt receipt : Arrays.asList(LAST, null)) {
      assertEquals(
          expected, calls(receipt).stream().map(call -> decided(call, fate, LAST)).toList());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ACKED, acked",
    "EXPIRED, superseded",
    "NACKED, superseded",
    "REJECTED, superseded",
    "DEAD, expired"
  })
  void anEarlierHolderChangesNothing(Fate fate, String expected) {
    for (SettleRequest call : calls(EARLIER)) {
      assertEquals(expected, decided(call, fate, LAST));
    }
  }

  /** As after a late ACK without a receipt. */
  @Test
  void aLeaseOfUnknownReceiptIsNobodysWithOne() {
    assertEquals("acked", decided(calls(EARLIER).get(0), Fate.ACKED, null));
    assertEquals("done", decided(calls(null).get(0), Fate.ACKED, null));
  }
}
