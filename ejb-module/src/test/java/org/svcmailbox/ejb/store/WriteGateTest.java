package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.core.problem.UnavailableException;

@Timeout(30)
class WriteGateTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void writersEnterInTheOrderTheyCame() throws InterruptedException {
    WriteGate gate = new WriteGate(1, LONG);
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Thread> writers = new ArrayList<>();
    gate.enter();
    for (int i = 0; i < 5; i++) {
      int number = i;
      Thread writer = new Thread(() -> pass(gate, () -> order.add(number)));
      writer.start();
      writers.add(writer);
      while (gate.waiting() <= i) {
        Thread.onSpinWait();
      }
    }
    assertEquals(List.of(), order);
    gate.leave();
    for (Thread writer : writers) {
      writer.join();
    }
    assertEquals(List.of(0, 1, 2, 3, 4), order);
  }

  @Test
  void aTurnThatDoesNotComeInTimeIsUnavailable() {
    WriteGate gate = new WriteGate(1, Duration.ofMillis(10));
    gate.enter();
    assertThrows(UnavailableException.class, gate::enter);
    gate.leave();
    gate.enter();
    assertThrows(UnavailableException.class, gate::enter);
  }

  @Test
  void anInterruptedWriterGivesUpAndStaysInterrupted() {
    WriteGate gate = new WriteGate(1, LONG);
    gate.enter();
    Thread.currentThread().interrupt();
    assertThrows(UnavailableException.class, gate::enter);
    assertTrue(Thread.interrupted());
  }

  @Test
  void manyMayWriteWhereTheDatabaseAllows() {
    WriteGate gate = new WriteGate(Database.POSTGRESQL.writers(), Duration.ZERO);
    for (int i = 0; i < 1_000; i++) {
      gate.enter();
    }
    assertEquals(0, gate.waiting());
  }

  private static void pass(WriteGate gate, Runnable work) {
    gate.enter();
    try {
      work.run();
    } finally {
      gate.leave();
    }
  }
}
