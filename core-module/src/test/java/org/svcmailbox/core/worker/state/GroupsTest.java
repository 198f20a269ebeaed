package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.envelope.MsgId;

class GroupsTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1023, 0, 0",
    "2, 2, 7, 1, 1",
    "12, 2, 13, 1, 1",
    "12, 2, 22, 10, 0",
    "5, 2, 9, 4, 0",
    "5, 2, 8, 3, 1",
    "1024, 3, 1023, 1023, 0"
  })
  void aSlotHasAGroupAndTheGroupAWorker(int count, int workers, int slot, int group, int worker) {
    Groups groups = new Groups(count, workers);
    assertEquals(WorkerId.of(group), groups.groupOf(slot));
    assertEquals(worker, groups.workerOf(slot));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "12, 5", "1024, 16"})
  void eachGroupIsOfTheWorkerOfItsSlots(int count, int workers) {
    Groups groups = new Groups(count, workers);
    for (int slot = 0; slot < MsgId.SLOTS; slot++) {
      assertEquals(
          List.of(groups.groupOf(slot)),
          groups.of(groups.workerOf(slot)).stream().filter(groups.groupOf(slot)::equals).toList());
    }
    Stream<WorkerId> all =
        IntStream.range(0, workers).boxed().flatMap(worker -> groups.of(worker).stream());
    assertEquals(count, all.distinct().count());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 2", "0, 1"})
  void everyWorkerNeedsAGroup(int count, int workers) {
    assertThrows(IllegalArgumentException.class, () -> new Groups(count, workers));
  }

  @Test
  void aWorkerOfOneGroupIsNamedAsItsGroup() {
    assertEquals(List.of(WorkerId.of(2)), Groups.ofWorkers(3).of(2));
  }
}
