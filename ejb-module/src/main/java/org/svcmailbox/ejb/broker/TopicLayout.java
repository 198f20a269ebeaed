package org.svcmailbox.ejb.broker;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicQueues;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.admin.QueueNames.TopicMark;

/** The topics of a broker, as its queues' names state them. */
record TopicLayout(Collection<SimpleString> queues) {
  Map<TopicName, TopicQueues> topics() {
    Map<TopicName, TopicQueues> topics = new HashMap<>();
    for (SimpleString queue : queues) {
      String name = queue.toString();
      QueueNames.shardOf(name)
          .filter(shard -> shard.index() < TopicSettings.MAX_SHARDS)
          .ifPresent(
              shard ->
                  topics.merge(shard.topic(), TopicQueues.of(shard.index()), TopicQueues::and));
      QueueNames.markOf(name)
          .ifPresent(
              mark -> topics.merge(mark.topic(), TopicQueues.marked(mark.id()), TopicQueues::and));
    }
    return topics;
  }

  /** The queues of a topic's dead letters. */
  List<SimpleString> letters(TopicName topic) {
    return queues.stream()
        .filter(
            queue ->
                QueueNames.segmentOf(queue.toString())
                    .filter(segment -> segment.topic().equals(topic))
                    .isPresent())
        .toList();
  }

  /** The marks that name a topic or an id other than these. */
  List<SimpleString> marksBut(Collection<Topic> topics) {
    Set<TopicMark> right =
        topics.stream()
            .map(topic -> new TopicMark(topic.name(), topic.id()))
            .collect(Collectors.toSet());
    return queues.stream()
        .filter(
            queue ->
                QueueNames.markOf(queue.toString()).filter(m -> !right.contains(m)).isPresent())
        .toList();
  }
}
