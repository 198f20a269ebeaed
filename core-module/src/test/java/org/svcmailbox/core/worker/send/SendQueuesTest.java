package org.svcmailbox.core.worker.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;

class SendQueuesTest {
  private final SendQueues queues = new SendQueues();
  private final Topic busy = topic(1);
  private final Topic calm = topic(2);

  private static Topic topic(int id) {
    Map<String, String> values = Map.of("mailbox.ready_shards", "1");
    TopicSettings settings =
        SettingsLoader.load(
                key -> Optional.ofNullable(values.get(key)), values.keySet(), /* cores= */ 2)
            .defaults();
    return new Topic(
        id, new TopicName("topic-" + id), TopicState.fresh(TopicOverrides.NONE, 1), settings);
  }

  private static Send send(Topic topic, String key) {
    return SampleSends.send(topic, key, "p", null, null);
  }

  private List<String> take(int most) {
    List<String> taken = new ArrayList<>();
    assertEquals(queues.take(most, send -> taken.add(key(send))), taken.size());
    return taken;
  }

  private static String key(Send send) {
    return send.envelope().idemKey().value();
  }

  private void add(Topic topic, String prefix, int count) {
    IntStream.range(0, count).forEach(i -> queues.add(send(topic, prefix + i)));
  }

  @Test
  void withinAShardTheOrderIsKept() {
    add(busy, "b", 5);
    assertEquals(List.of("b0", "b1", "b2"), take(3));
    assertEquals(List.of("b3", "b4"), take(3));
    assertEquals(List.of(), take(3));
    assertTrue(queues.isEmpty());
  }

  @Test
  void anOverrunShardKeepsNobodyElseWaiting() {
    add(busy, "b", 1_000);
    add(calm, "c", 1);
    assertEquals(List.of("b0", "b1", "c0", "b2"), take(4));
  }

  @Test
  void whatOneShardHasNoUseForIsTheOthers() {
    add(calm, "c", 2);
    add(busy, "b", 100);
    List<String> taken = take(50);
    assertEquals(50, taken.size());
    assertTrue(taken.containsAll(List.of("c0", "c1")));
  }

  @Test
  void shardsTakeTurnsWhenThereIsNotOneForEach() {
    add(busy, "b", 3);
    add(calm, "c", 3);
    List<String> taken = new ArrayList<>();
    for (int step = 0; step < 6; step++) {
      taken.addAll(take(1));
    }
    assertEquals(List.of("b0", "c0", "b1", "c1", "b2", "c2"), taken);
  }
}
