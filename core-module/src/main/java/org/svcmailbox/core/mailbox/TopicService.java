package org.svcmailbox.core.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditLog;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.ShardCounters;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.Broker.QueueCounts;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.Operation;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.worker.WorkerPool;

/** Topic administration. Changes are audited before they begin. Any thread. */
final class TopicService implements TopicAdmin, TopicContents {
  private static final Logger LOG = System.getLogger(TopicService.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Bounds one turn of a worker, so that other work gets its turn. */
  private static final int PURGED_AT_ONCE = 500;

  private static final Comparator<Envelope> BY_PLACE =
      Comparator.comparingInt(Envelope::shard).thenComparingLong(Envelope::seq);

  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final Limits limits;
  private final QueueWatch queues;
  private final Broker broker;
  private final AuditLog audit;
  private final InstantSource wall;
  private final String dlqProfile;

  /**
   * @param dlqProfile whether dead letters outlive the process, as clients are told
   */
  TopicService(
      TopicDirectory topics,
      WorkerPool workers,
      Limits limits,
      QueueWatch queues,
      Mailbox.Ports ports,
      String dlqProfile) {
    this.dlqProfile = dlqProfile;
    this.topics = topics;
    this.workers = workers;
    this.limits = limits;
    this.queues = queues;
    this.broker = ports.broker();
    this.audit = ports.stores().audit();
    this.wall = ports.wall();
  }

  @Override
  public Overview list(Caller caller) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, null);
    List<TopicGlance> glances =
        topics.all().stream().sorted(Comparator.comparing(Topic::name)).map(this::glance).toList();
    return new Overview(glances, dlqProfile, limits.diskRoom(), queues.undeliverable());
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
    TopicName next = page.size() < behind.size() ? page.get(limit - 1).name() : null;
    return new TopicPage(
        page.stream().map(topic -> new ListedTopic(glance(topic), topic)).toList(),
        next,
        dlqProfile,
        limits.diskRoom(),
        queues.undeliverable());
  }

  private TopicGlance glance(Topic topic) {
    TopicCounters counters = limits.topics().of(topic.name());
    long now = wall.millis();
    long depth = 0;
    long inflight = 0;
    long oldest = 0;
    double saturation = counters.fullness(topic.settings().retention());
    for (ShardId shard : topic.shards()) {
      ShardCounters one = limits.counters(shard);
      depth += one.waiting();
      inflight += one.inflight();
      oldest = Math.max(oldest, one.oldestReadyAge(now));
      double full = (double) one.pending().count() / topic.settings().shardCapacity();
      saturation = Math.max(saturation, full);
    }
    return new TopicGlance(
        topic.name(),
        topic.state().paused(),
        depth,
        inflight,
        counters.deadLetters(),
        Math.min(1, saturation),
        oldest);
  }

  @Override
  public TopicStatus status(Caller caller, TopicName name) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, name);
    Topic topic = topic(name);
    long messages = 0;
    long delayed = 0;
    long inflight = 0;
    long oldest = 0;
    for (ShardId shard : topic.shards()) {
      QueueCounts counts = broker.counts(shard);
      messages += counts.messages();
      delayed += counts.scheduled();
      inflight += limits.inflight(shard);
      oldest = Math.max(oldest, counts.oldestReadyAgeMillis());
      oldest = Math.max(oldest, limits.counters(shard).prefetchedAge(wall.millis()));
    }
    long ready = Math.max(0, messages - delayed - inflight);
    long dlq = broker.deadLetters(name);
    long age = ready == 0 ? 0 : oldest;
    return new TopicStatus(topic, ready, inflight, delayed, dlq, dlqProfile, age);
  }

  @Override
  public boolean put(Caller caller, TopicName name, TopicOverrides overrides) {
    note(caller, "topic.put", name, overrides.toString());
    boolean made = topics.put(name, overrides);
    refresh(name);
    return made;
  }

  @Override
  public void pause(Caller caller, TopicName name) {
    note(caller, "topic.pause", name, "");
    topics.pause(name, true);
    refresh(name);
  }

  @Override
  public void resume(Caller caller, TopicName name) {
    note(caller, "topic.resume", name, "");
    topics.pause(name, false);
    refresh(name);
  }

  @Override
  public void delete(Caller caller, TopicName name) {
    note(caller, "topic.delete", name, "");
    delete(name);
  }

  private void delete(TopicName name) {
    topics.delete(name, this::letGo);
    limits.topics().forget(name);
  }

  /** Continues deletions that a failure interrupted. */
  void finishDeletions() {
    for (TopicName name : topics.unfinished()) {
      try {
        delete(name);
        LOG.log(Level.INFO, "The deletion of {0} has ended", name);
      } catch (UnavailableException e) {
        LOG.log(Level.DEBUG, "The deletion of {0} goes on: {1}", name, e.toString());
      } catch (NotFoundException e) {
        LOG.log(Level.DEBUG, "Somebody else has ended the deletion of {0}", name);
      }
    }
  }

  @Override
  public List<StoredMessage> peek(
      Caller caller, TopicName name, @Nullable Integer shard, int limit) {
    caller.require(Operation.PEEK, name);
    Topic topic = topic(name);
    if (shard != null && shard >= topic.state().liveShards()) {
      throw new NotFoundException(name + " has no shard " + shard);
    }
    return workers.admin(admin -> admin.peek(topic, shard, limit)).stream()
        .map(TopicService::await)
        .flatMap(List::stream)
        .sorted(Comparator.comparing(StoredMessage::envelope, BY_PLACE))
        .limit(limit)
        .toList();
  }

  @Override
  public long purge(Caller caller, TopicName name) {
    caller.require(Operation.ADMIN, name);
    Topic topic = topic(name);
    note(caller, "topic.purge", name, "");
    long purged = topic.shards().stream().mapToLong(this::purge).sum();
    LOG.log(Level.INFO, "Purged {0}: {1} messages", name, purged);
    return purged;
  }

  @Override
  public ScheduledPage scheduled(
      Caller caller, TopicName name, ScheduledMessage.Position after, int limit) {
    caller.require(Operation.PEEK, name);
    List<ScheduledMessage> behind =
        topic(name).shards().stream()
            .flatMap(shard -> broker.scheduled(shard, after, limit + 1).stream())
            .sorted(ScheduledMessage.ORDER)
            .limit(limit + 1L)
            .toList();
    List<ScheduledMessage> page = behind.subList(0, Math.min(limit, behind.size()));
    boolean isLast = page.size() == behind.size();
    return new ScheduledPage(page, isLast ? null : page.get(limit - 1).position());
  }

  @Override
  public void cancelScheduled(Caller caller, TopicName name, MsgId msgId) {
    caller.require(Operation.ADMIN, name);
    topic(name);
    note(caller, "topic.cancel", name, msgId.toString());
    List<ShardId> shards =
        topics.openShards(name).stream().filter(shard -> shard.slot() == msgId.slot()).toList();
    // A failing broker fails this call, not the worker with its leases.
    shards.forEach(shard -> broker.scheduled(shard, ScheduledMessage.Position.FIRST, 1));
    boolean wasThere =
        shards.stream()
            .anyMatch(
                shard -> await(workers.admin(shard, admin -> admin.cancelScheduled(shard, msgId))));
    if (!wasThere) {
      throw new NotFoundException("no message " + msgId + " of " + name + " waits for its time");
    }
  }

  private long purge(ShardId shard) {
    // No more than there were: others may go on sending.
    long most = broker.messages(shard);
    long purged = 0;
    int got = 1;
    while (got > 0 && purged < most) {
      int atOnce = (int) Math.min(PURGED_AT_ONCE, most - purged);
      got = await(workers.admin(shard, admin -> admin.purge(shard, atOnce)));
      purged += got;
    }
    long scheduled = broker.removeScheduled(shard);
    if (scheduled > 0) {
      await(workers.admin(shard, admin -> admin.recount(shard)));
    }
    return purged + scheduled;
  }

  private Topic topic(TopicName name) {
    return topics.find(name).orElseThrow(() -> new NotFoundException("there is no topic " + name));
  }

  private void note(Caller caller, String action, TopicName name, String note) {
    caller.require(Operation.ADMIN, name);
    audit.note(caller.audit(wall.instant(), action, name.value(), note));
  }

  /** Returns once no worker uses the old settings. */
  private void refresh(TopicName name) {
    workers.admin(admin -> admin.refresh(name)).forEach(TopicService::awaitUnlessAway);
  }

  private void letGo(Topic topic) {
    workers.admin(admin -> admin.drop(topic)).forEach(TopicService::awaitUnlessAway);
    // A worker that is away finds out when it is back.
    topic.shards().forEach(limits::forget);
  }

  /** A worker without a session holds nothing, and starts from the current state. */
  private static void awaitUnlessAway(CompletableFuture<?> reply) {
    await(
        reply.handle(
            (done, failure) -> {
              if (failure != null && !(unwrapped(failure) instanceof UnavailableException)) {
                throw new CompletionException(unwrapped(failure));
              }
              return Boolean.TRUE;
            }));
  }

  private static <T extends @Nullable Object> T await(CompletableFuture<T> order) {
    try {
      return order.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw new UnavailableException("a shard worker did not do what was asked", unwrapped(e));
    }
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
