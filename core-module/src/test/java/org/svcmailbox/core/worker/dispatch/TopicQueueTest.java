package org.svcmailbox.core.worker.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.worker.state.LeasingScene;
import org.svcmailbox.core.worker.state.ShardState;

class TopicQueueTest {
  private static final ShardState SHARD = new LeasingScene(10).leases.get(0).shard();

  private final TopicQueue queue = new TopicQueue(LeasingScene.TOPIC.name(), shards(3));

  private static List<ShardState> shards(int count) {
    return IntStream.range(0, count).mapToObj(i -> SHARD).toList();
  }

  private static RecvCall call() {
    RecvRequest request =
        new RecvRequest(
            LeasingScene.TOPIC.name(), null, 1, 1, Duration.ofSeconds(1), /* shard= */ null);
    return new RecvCall(
        SampleCallers.OPERATOR,
        LeasingScene.TOPIC,
        request,
        Duration.ofSeconds(5),
        /* window= */ null,
        0,
        0,
        1);
  }

  private List<Integer> turns(int count) {
    return IntStream.range(0, count).mapToObj(i -> queue.turn()).toList();
  }

  @Test
  void eachCallBeginsWithAnotherShard() {
    assertEquals(List.of(0, 1, 2, 0), turns(4));
  }

  @Test
  void turnsFollowTheNumberOfShards() {
    queue.shards(List.of());
    assertEquals(List.of(0, 0), turns(2));
    queue.shards(shards(2));
    assertEquals(List.of(0, 1, 0), turns(3));
  }

  @Test
  void answeredCallsAtTheHeadMakeRoom() {
    List<RecvCall> calls = IntStream.range(0, 4).mapToObj(i -> call()).toList();
    calls.subList(0, 3).forEach(queue::add);
    calls.get(0).abandon();
    calls.get(2).abandon();
    queue.add(calls.get(3));
    assertEquals(calls.subList(1, 4), List.copyOf(queue.waiting()));
  }

  @Test
  void aTopicWithoutShardsAndCallsIsUnused() {
    assertFalse(queue.isUnused(), "it has shards");
    queue.shards(List.of());
    assertTrue(queue.isUnused());
    queue.add(call());
    assertFalse(queue.isUnused(), "a call waits");
  }
}
