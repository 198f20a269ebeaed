package org.svcmailbox.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AckBatchTest {
  @Test
  void everyMessageOfTheAnswerIsAcknowledgedWithItsReceipt() {
    String answer =
        "{\"messages\":[{\"msg_id\":\"A\",\"payload\":\"cmVjZWlwdA==\",\"receipt\":\"1\"},"
            + "{\"msg_id\":\"B\",\"payload\":\"\",\"receipt\":\"2\",\"visibility_ms\":5}]}";
    assertEquals(
        new AckBatch(
            2,
            "{\"acks\":[{\"msg_id\":\"A\",\"receipt\":\"1\"},"
                + "{\"msg_id\":\"B\",\"receipt\":\"2\"}]}"),
        AckBatch.of(answer));
  }

  @Test
  void anEmptyAnswerHasNothingToAcknowledge() {
    assertEquals(0, AckBatch.of("{\"messages\":[]}").size());
  }
}
