package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;

class TopicRepairTest {
  private static final TopicName ORDERS = new TopicName("orders");

  /** Of the row: id and shards; of the queues: id, shards, whether the first is there. */
  @ParameterizedTest
  @CsvSource({
    "5, 2, 5, 2, true, NONE",
    "5, 2, , 2, true, NONE",
    "5, 2, 5, 1, true, NONE",
    "5, 2, 3, 2, true, NONE",
    "5, 2, 5, 4, true, RAISE",
    "5, 2, , 3, true, RAISE",
    "5, 2, 3, 3, true, RAISE",
    "5, 2, 9, 2, true, MAKE",
    "5, 2, 9, 4, true, MAKE",
    "5, 2, , 0, false, RENEW",
    "5, 2, 5, 0, false, RENEW",
    "5, 2, 5, 2, false, RENEW",
    "5, 2, 9, 2, false, RENEW",
    ", , 5, 2, true, MAKE",
    ", , , 2, true, MAKE",
    ", , , 2, false, MAKE",
    ", , 5, 0, false, NONE",
    ", , , 0, false, NONE"
  })
  void queuesTellWhatTheTableLacks(
      @Nullable Integer row,
      @Nullable Integer live,
      @Nullable Integer id,
      int shards,
      boolean hasFirst,
      TopicRepair expected) {
    StoredTopic stored = row == null || live == null ? null : stored(row, live);
    assertEquals(expected, TopicRepair.of(stored, new TopicQueues(id, shards, hasFirst)));
  }

  private static StoredTopic stored(int id, int shards) {
    return new StoredTopic(id, ORDERS, TopicState.fresh(TopicOverrides.NONE, shards));
  }

  @Test
  void theRowsDifferenceIsWhatTheStoreLost() {
    StoredTopic known = stored(5, 2);
    assertEquals(TopicDifference.NONE, TopicDifference.of(null, null));
    assertEquals(TopicDifference.NONE, TopicDifference.of(stored(5, 2), known));
    assertEquals(TopicDifference.LOST_CHANGE, TopicDifference.of(null, known));
    assertEquals(TopicDifference.LOST_CHANGE, TopicDifference.of(stored(5, 3), known));
    assertEquals(TopicDifference.LOST_CHANGE, TopicDifference.of(stored(4, 2), known));
    assertEquals(TopicDifference.LOST_DELETION, TopicDifference.of(known, null));
  }

  @Test
  void queuesOfATopicAddUp() {
    TopicQueues all = TopicQueues.of(3).and(TopicQueues.marked(7)).and(TopicQueues.of(0));
    assertEquals(new TopicQueues(7, 4, true), all);
    assertEquals(new TopicQueues(8, 4, true), all.and(TopicQueues.marked(8)));
    assertEquals(all, all.and(TopicQueues.marked(6)));
    assertEquals(all, TopicQueues.NONE.and(all));
  }
}
