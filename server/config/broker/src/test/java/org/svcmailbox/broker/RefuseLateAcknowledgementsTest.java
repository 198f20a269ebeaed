package org.svcmailbox.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.persistence.impl.journal.OperationContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that fail while acknowledgements are under way. */
class RefuseLateAcknowledgementsTest {
  private static final int MESSAGES = 10;
  private static final int ROUNDS = Integer.getInteger("late.rounds", 50);

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

  /** Threads outlive a broker, as when their server is reloaded, and keep what they used there. */
  @Test
  void aThreadOfAnEndedBrokerReturnsWhatItsSessionHeld() throws Exception {
    try (LateBroker broker = LateBroker.start(directory, true);
        LateBroker.Client client = broker.open()) {
      broker.send(MESSAGES);
      client.acknowledgeAll(client.receive(MESSAGES).subList(0, 3));
      client.awaitStaged(3);
      OperationContext ended = new OperationContextImpl(RefuseLateAcknowledgementsTest::refuse);
      // Something is under way for good.
      ended.storeLineUp();
      OperationContextImpl.setContext(ended);
      try {
        broker.fail(client);
        assertSame(ended, OperationContextImpl.getContext());
      } finally {
        OperationContextImpl.clearContext();
      }
      assertEquals(IntStream.range(0, MESSAGES).boxed().toList(), broker.take(MESSAGES));
    }
  }

  private static void refuse(Runnable task) {
    throw new RejectedExecutionException("the broker has ended");
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

  /**
   * A session that failed keeps its transaction, which is rolled back, so the rest of it fails too.
   * With a new one, the commit would take half a transaction.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theRestOfATransactionIsNotCommittedAfterItsSessionFailed(boolean refuses) throws Exception {
    try (LateBroker broker = LateBroker.start(directory, refuses)) {
      broker.send(MESSAGES);
      assertTrue(failBeforeTheCommit(broker, false).isCompletedExceptionally());
      assertEquals(IntStream.range(0, MESSAGES).boxed().toList(), broker.take(MESSAGES + 1));
    }
  }

  /** The control of the test above. */
  @Test
  void aNewTransactionWouldCommitHalf() throws Exception {
    try (LateBroker broker = LateBroker.start(directory, true)) {
      broker.send(MESSAGES);
      failBeforeTheCommit(broker, true).join();
      assertTrue(broker.take(MESSAGES + 1).contains(LateBroker.REST));
    }
  }

  private static CompletableFuture<Void> failBeforeTheCommit(LateBroker broker, boolean renewed)
      throws Exception {
    try (LateBroker.Client client = broker.open()) {
      client.acknowledgeAll(client.receive(MESSAGES).subList(0, 5));
      client.awaitStaged(5);
      CompletableFuture<Void> committed = broker.commitWhileClosing(renewed);
      broker.fail(client);
      assertTrue(committed.isDone());
      return committed;
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
