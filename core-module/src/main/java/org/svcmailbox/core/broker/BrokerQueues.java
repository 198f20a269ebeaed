package org.svcmailbox.core.broker;

import java.util.function.BooleanSupplier;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;

/** The queues of topics, in a broker. */
public record BrokerQueues(Broker broker) implements TopicDirectory.Queues {
  @Override
  public void requireAnswer() {
    broker.requireAnswer();
  }

  @Override
  public void create(Topic topic) {
    broker.createQueues(topic);
  }

  @Override
  public void delete(Topic topic) {
    broker.deleteQueues(topic);
  }

  @Override
  public void delete(Topic topic, BooleanSupplier isEnding) {
    broker.deleteQueues(topic, isEnding);
  }

  @Override
  public void forget(TopicName name) {
    broker.forgetLetters(name);
  }

  @Override
  public void delete(ShardId shard) {
    broker.deleteQueue(shard);
  }
}
