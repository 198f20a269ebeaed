package org.svcmailbox.core.route;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.ReadyService;
import org.svcmailbox.core.envelope.TopicName;

/** Topics that have messages when told. */
final class FakeTopics implements ReadyService {
  final List<ReadyKey> asked = new ArrayList<>();

  /** Topics that have messages. */
  final Set<ReadyKey> ready = new HashSet<>();

  private final List<Open> open = new ArrayList<>();

  private record Open(ReadyKey key, Runnable then) {}

  @Override
  public Watch whenReady(TopicName topic, @Nullable Integer shard, Runnable then) {
    Open added = new Open(new ReadyKey(topic, shard), then);
    asked.add(added.key());
    if (ready.contains(added.key())) {
      then.run();
      return () -> {};
    }
    open.add(added);
    return () -> open.remove(added);
  }

  /** Reports a topic to all who watch it. */
  void report(ReadyKey key) {
    List<Open> told = open.stream().filter(one -> one.key().equals(key)).toList();
    open.removeAll(told);
    told.forEach(one -> one.then().run());
  }

  /** How many watches are open. */
  int open() {
    return open.size();
  }
}
