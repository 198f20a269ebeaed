package org.svcmailbox.ejb.admin;

import java.util.HashMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.JsonUtil;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.json.JsonArray;
import org.apache.activemq.artemis.json.JsonObject;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.Broker.Held;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;

/**
 * Reads the counts of all queues that are not empty, page by page. A request per queue would slow
 * the start with every unused topic.
 */
public final class QueueCountReader {
  /** Queues per answer; the broker adds about a kilobyte of other attributes for each. */
  private static final int PAGE = 1_000;

  private final BrokerAdmin admin;
  private final int pageSize;
  private final Map<ShardId, Held> messages = new HashMap<>();
  private final Map<TopicName, Map<Integer, Long>> letters = new HashMap<>();

  public QueueCountReader(BrokerAdmin admin) {
    this(admin, PAGE);
  }

  QueueCountReader(BrokerAdmin admin, int pageSize) {
    this.admin = admin;
    this.pageSize = pageSize;
  }

  public Broker.Contents read() {
    readPages();
    Map<TopicName, Long> deadLetters = new HashMap<>();
    letters.forEach(
        (topic, segments) ->
            deadLetters.put(topic, segments.values().stream().mapToLong(count -> count).sum()));
    return new Broker.Contents(Map.copyOf(messages), Map.copyOf(deadLetters));
  }

  /** The number of letters in each queue of each topic. */
  public Map<TopicName, Map<Integer, Long>> readLetters() {
    readPages();
    return letters;
  }

  private void readPages() {
    int got = pageSize;
    for (int page = 1; got == pageSize; page++) {
      got =
          add(
              JsonUtil.readJsonObject(admin.queues().filledQueues(page, pageSize))
                  .getJsonArray("data"));
    }
  }

  /** Returns the number of queues. */
  private int add(JsonArray queues) {
    for (int i = 0; i < queues.size(); i++) {
      add(queues.getJsonObject(i));
    }
    return queues.size();
  }

  private void add(JsonObject queue) {
    String name = queue.getString("name");
    long count = Long.parseLong(queue.getString("messageCount"));
    QueueNames.shardOf(name)
        .ifPresent(
            shard ->
                messages.put(shard, new Held(count, admin.queues().bytes(SimpleString.of(name)))));
    QueueNames.segmentOf(name).ifPresent(segment -> add(segment, count));
  }

  /** A queue may be on two pages when others are created or deleted meanwhile; it counts once. */
  private void add(QueueNames.Segment segment, long count) {
    letters.computeIfAbsent(segment.topic(), none -> new HashMap<>()).put(segment.number(), count);
  }
}
