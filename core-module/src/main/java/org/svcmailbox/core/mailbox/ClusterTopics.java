package org.svcmailbox.core.mailbox;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.TopicChangingException;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicChoice;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicOverrides;

/**
 * Topic administration of a node. A change is answered once no node can act by what was before. A
 * change that is refused because others do not know it yet has happened, and can be repeated.
 */
public final class ClusterTopics implements TopicAdmin, MetricSource {
  /** How long a change waits for the other nodes. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Changes at a time; each waits on its caller's thread. */
  static final int MOST = 8;

  private final TopicAdmin own;
  private final TopicDirectory topics;
  private final LongPredicate known;
  private final TopicEndings endings;
  private final Ticker ticker;
  private final Runnable pause;
  private final CapacityLimit changes;

  /**
   * @param own of this process
   * @param known whether every other node knows the changes up to a version
   * @param endings of the deletions that nodes began
   * @param pause waits a moment before {@code known} is asked again
   */
  ClusterTopics(
      TopicAdmin own,
      TopicDirectory topics,
      LongPredicate known,
      TopicEndings endings,
      Ticker ticker,
      Runnable pause) {
    this.own = own;
    this.topics = topics;
    this.known = known;
    this.endings = endings;
    this.ticker = ticker;
    this.pause = pause;
    this.changes = new CapacityLimit("topic_changes", "too many calls change topics", MOST, ticker);
  }

  @Override
  public TopicPage page(Caller caller, TopicChoice choice, @Nullable TopicName after) {
    return own.page(caller, choice, after);
  }

  @Override
  public Overview list(Caller caller, TopicChoice choice) {
    return own.list(caller, choice);
  }

  @Override
  public Overview list(Caller caller, TopicName name) {
    return own.list(caller, name);
  }

  @Override
  public TopicStatus status(Caller caller, TopicName name) {
    return own.status(caller, name);
  }

  @Override
  public boolean put(
      Caller caller, TopicName name, TopicOverrides overrides, Precondition precondition) {
    return agreed(name, () -> own.put(caller, name, overrides, precondition));
  }

  @Override
  public void change(
      Caller caller,
      TopicName name,
      Precondition precondition,
      UnaryOperator<TopicOverrides> change) {
    agreed(name, () -> own.change(caller, name, precondition, change));
  }

  @Override
  public void pause(Caller caller, TopicName name) {
    agreed(name, () -> own.pause(caller, name));
  }

  @Override
  public void resume(Caller caller, TopicName name) {
    agreed(name, () -> own.resume(caller, name));
  }

  @Override
  public void delete(Caller caller, TopicName name) {
    boolean unused =
        changes.counted(
            () -> {
              own.delete(caller, name);
              await(name, () -> topics.isEmptied(name));
              return true;
            });
  }

  /** Finishes deletions that any node began; of the node that does so for all. */
  public void finishDeletions() {
    endings.step();
  }

  private void agreed(TopicName name, Runnable change) {
    boolean unused =
        agreed(
            name,
            () -> {
              change.run();
              return true;
            });
  }

  private boolean agreed(TopicName name, Supplier<Boolean> change) {
    return changes.counted(
        () -> {
          boolean outcome = change.get();
          long version = topics.version(name);
          await(name, () -> known.test(version));
          return outcome;
        });
  }

  private void await(TopicName name, BooleanSupplier isKnown) {
    long begun = ticker.nanos();
    while (!isKnown.getAsBoolean()) {
      if (ticker.nanos() - begun >= PATIENCE.toNanos()) {
        throw new TopicChangingException(
            "the topic " + name + " is changed, and a node does not know it yet; repeat the call");
      }
      pause.run();
    }
  }

  @Override
  public List<Metric> metrics() {
    return changes.metrics();
  }
}
