package org.svcmailbox.core.worker.dispatch;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Topics that may have messages for waiting calls, and since when. The broker's threads report to
 * it; everything else belongs to the worker.
 */
public final class ReadyTopics {
  /** The broker's report that a shard has messages. */
  private record Arrival(ShardId shard, long at) {}

  private final WorkerContext context;
  private final Inbox<Command> inbox;
  private final Queue<Arrival> arrived = new ConcurrentLinkedQueue<>();
  private final Map<TopicName, Long> since = new LinkedHashMap<>();

  public ReadyTopics(WorkerContext context, Inbox<Command> inbox) {
    this.context = context;
    this.inbox = inbox;
  }

  void add(TopicName topic) {
    since.putIfAbsent(topic, context.now());
  }

  void addAll(Collection<TopicName> topics) {
    long now = context.now();
    topics.forEach(topic -> since.putIfAbsent(topic, now));
  }

  /** Makes the broker report the shard's next message. */
  void watch(ShardState shard) {
    shard.watching(true);
    shard.receivingAt(context.now());
    context.session().watch(shard.id(), () -> arrived(shard.id()));
  }

  private void arrived(ShardId shard) {
    arrived.add(new Arrival(shard, context.now()));
    inbox.wake();
  }

  /** Adds the topics of reported shards, whose watches have ended. */
  void takeReports() {
    Arrival arrival;
    while ((arrival = arrived.poll()) != null) {
      ShardState known = context.known(arrival.shard());
      if (known != null) {
        known.watching(false);
        since.putIfAbsent(arrival.shard().topic(), arrival.at());
      }
    }
  }

  /** The topics and the times when they were noticed. */
  List<Map.Entry<TopicName, Long>> list() {
    return List.copyOf(since.entrySet());
  }

  void clear() {
    since.clear();
  }
}
