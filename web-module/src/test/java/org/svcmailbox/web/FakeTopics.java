package org.svcmailbox.web;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.topic.CountedNodes;
import org.svcmailbox.core.topic.MessageRates;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicChoice;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;

/** Topics in a map. */
public final class FakeTopics implements TopicAdmin {
  /** Runs before every call; a test may make it throw. */
  public volatile Runnable before = () -> {};

  /** Added to every number of a topic. */
  public volatile long amount;

  /** The nodes of a cluster; null of a server that is alone. */
  public volatile @Nullable CountedNodes counted;

  private final Map<TopicName, TopicOverrides> topics = new ConcurrentSkipListMap<>();

  @Override
  public Overview list(Caller caller, TopicChoice choice) {
    return guarded(
        () -> {
          List<TopicGlance> matching =
              topics.keySet().stream().filter(choice::matches).map(this::glance).toList();
          return new Overview(
              matching.stream().sorted(choice.order().comparator()).limit(choice.limit()).toList(),
              TopicTotals.of(matching),
              "durable",
              new DiskRoom(8, 7),
              2L,
              counted);
        });
  }

  @Override
  public Overview list(Caller caller, TopicName name) {
    List<TopicGlance> one = List.of(glance(status(caller, name).topic().name()));
    return new Overview(one, TopicTotals.of(one), "durable", null, null, counted);
  }

  private TopicGlance glance(TopicName name) {
    MessageRates rates = new MessageRates(1.25 + amount, 0.5 + amount, amount);
    return new TopicGlance(
        name, false, 5 + amount, 1 + amount, 2 + amount, 4 + amount, 0.5, 5 + amount, rates);
  }

  @Override
  public TopicPage page(Caller caller, TopicChoice choice, @Nullable TopicName after) {
    Overview all = list(caller, new TopicChoice(choice.part(), choice.order(), Integer.MAX_VALUE));
    List<ListedTopic> behind =
        all.topics().stream()
            .filter(glance -> after == null || glance.name().compareTo(after) > 0)
            .map(glance -> new ListedTopic(glance, status(caller, glance.name()).topic()))
            .toList();
    List<ListedTopic> page = behind.subList(0, Math.min(choice.limit(), behind.size()));
    TopicName next = page.size() < behind.size() ? page.get(page.size() - 1).glance().name() : null;
    return new TopicPage(page, all.totals(), next, "durable", new DiskRoom(8, 7), 2, counted);
  }

  @Override
  public TopicStatus status(Caller caller, TopicName name) {
    return guarded(
        () -> {
          TopicOverrides overrides = topics.get(name);
          if (overrides == null) {
            throw new NotFoundException("No topic " + name);
          }
          TopicSettings settings = overrides.over(TestSettings.SETTINGS.defaults());
          TopicState state = TopicState.fresh(overrides, settings.readyShards());
          Topic topic = new Topic(1, name, state, settings);
          return new TopicStatus(topic, 1, 2, 3, 4, 0.25, "durable", 5, counted);
        });
  }

  @Override
  public boolean put(
      Caller caller, TopicName name, TopicOverrides overrides, Precondition precondition) {
    return guarded(
        () -> {
          precondition.check(topics.containsKey(name) ? status(caller, name).topic() : null);
          return topics.put(name, overrides) == null;
        });
  }

  @Override
  public void change(
      Caller caller,
      TopicName name,
      Precondition precondition,
      UnaryOperator<TopicOverrides> change) {
    precondition.check(status(caller, name).topic());
    topics.computeIfPresent(name, (key, overrides) -> change.apply(overrides));
  }

  @Override
  public void pause(Caller caller, TopicName name) {
    guarded(() -> status(caller, name));
  }

  @Override
  public void resume(Caller caller, TopicName name) {
    guarded(() -> status(caller, name));
  }

  @Override
  public void delete(Caller caller, TopicName name) {
    guarded(() -> status(caller, name));
    topics.remove(name);
  }

  private <T> T guarded(Supplier<T> call) {
    before.run();
    return call.get();
  }
}
