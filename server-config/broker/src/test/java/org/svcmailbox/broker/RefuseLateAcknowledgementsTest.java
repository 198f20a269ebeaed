package org.svcmailbox.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sessions that fail while acknowledgements are under way. */
class RefuseLateAcknowledgementsTest {
  private static final int MESSAGES = 10;
  private static final int ROUNDS = 200;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"0, 0", "3, 5", "9, 9"})
  void aMessageThatIsAcknowledgedLateComesAgainInItsPlace(int before, int late) throws Exception {
    try (LateBroker broker = LateBroker.start(directory, true)) {
      broker.send(MESSAGES);
      List<Integer> got = failWith(broker, before, late);
      assertEquals(IntStream.range(0, MESSAGES).boxed().toList(), got);
      assertEquals(0, broker.delivering());
      assertEquals(0, broker.count());
    }
    try (LateBroker again = LateBroker.start(directory, true)) {
      assertEquals(0, again.count());
    }
  }

  /** The defect of Artemis; when it is mended there, the plugin can go. */
  @Test
  void withoutThePluginTheMessageStaysAwayUntilARestart() throws Exception {
    try (LateBroker broker = LateBroker.start(directory, false)) {
      broker.send(MESSAGES);
      List<Integer> got = failWith(broker, 3, 5);
      assertEquals(List.of(0, 1, 2, 3, 4, 6, 7, 8, 9), got);
      assertEquals(1, broker.delivering());
    }
    try (LateBroker again = LateBroker.start(directory, false)) {
      assertEquals(List.of(5), again.take(MESSAGES));
    }
  }

  private static List<Integer> failWith(LateBroker broker, int before, int late) throws Exception {
    try (LateBroker.Client client = broker.open()) {
      List<ClientMessage> held = client.receive(MESSAGES);
      client.acknowledgeAll(held.subList(0, before));
      client.awaitStaged(before);
      broker.acknowledgeWhileClosing(held.get(late));
      broker.fail(client);
    }
    return broker.take(MESSAGES);
  }

  /** Packets meet the end of their session wherever they will. */
  @Test
  void nothingIsMissingHoweverTheAcknowledgementsMeetTheFailure() throws Exception {
    try (LateBroker broker = LateBroker.start(directory, true)) {
      for (int round = 0; round < ROUNDS; round++) {
        broker.send(MESSAGES);
        try (LateBroker.Client client = broker.open()) {
          List<ClientMessage> held = client.receive(MESSAGES);
          CompletableFuture<Void> acknowledging =
              CompletableFuture.runAsync(() -> client.acknowledgeAll(held));
          broker.fail(client);
          acknowledging.join();
        }
        assertEquals(MESSAGES, broker.take(MESSAGES).size(), "round " + round);
      }
    }
  }

  @Test
  void aSessionThatEndsInOrderIsLeftToArtemis() throws Exception {
    try (LateBroker broker = LateBroker.start(directory, true)) {
      broker.send(MESSAGES);
      List<Integer> counts = new ArrayList<>();
      try (LateBroker.Client client = broker.open()) {
        client.receive(MESSAGES);
      }
      try (LateBroker.Client client = broker.open()) {
        client.receive(MESSAGES).forEach(message -> counts.add(message.getDeliveryCount()));
      }
      // One that fails counts as a delivery, one that ends in order does not.
      assertEquals(List.of(1, 1, 1, 1, 1, 1, 1, 1, 1, 1), counts);
    }
  }
}
