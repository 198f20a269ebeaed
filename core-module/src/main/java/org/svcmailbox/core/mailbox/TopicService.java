package org.svcmailbox.core.mailbox;

import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicDirectory;
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
  public Overview list(Caller caller) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, null);
    return report.overview(
        topics.all().stream().sorted(Comparator.comparing(Topic::name)).toList());
  }

  @Override
  public TopicPage page(Caller caller, @Nullable TopicName after, int limit) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, null);
    List<Topic> behind =
        topics.all().stream()
            .filter(topic -> after == null || topic.name().compareTo(after) > 0)
            .sorted(Comparator.comparing(Topic::name))
            .limit(limit + 1L)
            .toList();
    List<Topic> page = behind.subList(0, Math.min(limit, behind.size()));
    boolean isLast = page.size() == behind.size();
    return report.page(page, isLast ? null : page.get(limit - 1).name());
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
              audit.note(caller, "topic.put", name, overrides.toString());
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
