package org.svcmailbox.grpc.call;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.envelope.TopicName;

class RecvWaitTest {
  private static RecvRequest waiting(long millis) {
    return new RecvRequest(
        new TopicName("t"), Duration.ofSeconds(1), 3, 4, Duration.ofMillis(millis), 5);
  }

  @ParameterizedTest
  @CsvSource({
    "30000, 10000, 9900",
    "500, 10000, 500",
    "500, 600, 500",
    "500, 599, 499",
    "5, 50, 0"
  })
  void theWaitEndsBeforeTheDeadline(long asked, long remaining, long waited) {
    RecvRequest within = RecvWait.within(waiting(asked), Optional.of(Duration.ofMillis(remaining)));
    assertEquals(waiting(waited), within);
  }

  @Test
  void withoutADeadlineTheWaitIsTheClients() {
    assertEquals(waiting(30_000), RecvWait.within(waiting(30_000), Optional.empty()));
  }
}
