package org.svcmailbox.core.mailbox;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicChoice;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicOrder;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.worker.WorkerPool;

/** Topic administration. Changes are audited before they begin. Any thread. */
final class TopicService implements TopicAdmin {
  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final TopicDeletion deletion;
  private final TopicReport report;
  private final AdminAudit audit;

  TopicService(
      TopicDirectory topics,
      WorkerPool workers,
      TopicDeletion deletion,
      TopicReport report,
      AdminAudit audit) {
    this.topics = topics;
    this.workers = workers;
    this.deletion = deletion;
    this.report = report;
    this.audit = audit;
  }

  @Override
  public Overview list(Caller caller, TopicChoice choice) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, null);
    List<TopicGlance> matching = matching(choice).map(report::glance).toList();
    return report.overview(
        first(matching.stream(), choice, Function.identity()), TopicTotals.of(matching));
  }

  @Override
  public Overview list(Caller caller, TopicName name) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, name);
    return report.overview(List.of(report.glance(topics.existing(name))));
  }

  @Override
  public TopicPage page(Caller caller, TopicChoice choice, @Nullable TopicName after) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, null);
    List<ListedTopic> matching = matching(choice).map(report::listed).toList();
    Stream<ListedTopic> behind =
        matching.stream()
            .filter(topic -> after == null || topic.topic().name().compareTo(after) > 0);
    List<ListedTopic> found = first(behind, choice.more(1), ListedTopic::glance);
    List<ListedTopic> page = found.subList(0, Math.min(choice.limit(), found.size()));
    boolean hasNext = choice.order() == TopicOrder.NAME && page.size() < found.size();
    return report.page(
        page,
        TopicTotals.of(matching.stream().map(ListedTopic::glance).toList()),
        hasNext ? page.get(page.size() - 1).topic().name() : null);
  }

  private Stream<Topic> matching(TopicChoice choice) {
    return topics.all().stream().filter(topic -> choice.matches(topic.name()));
  }

  private static <T> List<T> first(
      Stream<T> topics, TopicChoice choice, Function<T, TopicGlance> glance) {
    return topics
        .sorted(Comparator.comparing(glance, choice.order().comparator()))
        .limit(choice.limit())
        .toList();
  }

  @Override
  public TopicStatus status(Caller caller, TopicName name) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, name);
    return report.status(topics.existing(name));
  }

  @Override
  public boolean put(
      Caller caller, TopicName name, TopicOverrides overrides, Precondition precondition) {
    caller.require(Operation.ADMIN, name);
    boolean made =
        topics.put(
            name,
            overrides,
            known -> {
              precondition.check(known);
              audit.note(caller, "topic.put", name, overrides.text());
            });
    refresh(name);
    return made;
  }

  @Override
  public void change(
      Caller caller,
      TopicName name,
      Precondition precondition,
      UnaryOperator<TopicOverrides> change) {
    caller.require(Operation.ADMIN, name);
    topics.change(
        name,
        known -> {
          precondition.check(known);
          TopicOverrides changed = change.apply(known.state().overrides());
          audit.note(caller, "topic.change", name, changed.toString());
          return changed;
        });
    refresh(name);
  }

  @Override
  public void pause(Caller caller, TopicName name) {
    audit.note(caller, Operation.PAUSE, "topic.pause", name, "");
    topics.pause(name, true);
    refresh(name);
  }

  @Override
  public void resume(Caller caller, TopicName name) {
    audit.note(caller, Operation.PAUSE, "topic.resume", name, "");
    topics.pause(name, false);
    refresh(name);
  }

  @Override
  public void delete(Caller caller, TopicName name) {
    audit.note(caller, "topic.delete", name, "");
    deletion.delete(name);
  }

  /** Returns when no worker uses the old settings any more. */
  private void refresh(TopicName name) {
    WorkerReplies.awaitUnlessAway(workers.admin(admin -> admin.refresh(name)));
  }
}
