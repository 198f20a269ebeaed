package org.svcmailbox.core.mailbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.bounds.FairBound;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.Shares;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService.Revoked;
import org.svcmailbox.core.capability.store.CapabilityNames;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.delivery.LeaseTally;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.stream.Streams;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.worker.ShardAdmin;
import org.svcmailbox.core.worker.WorkerPool;

/** Shows the holders of shared limits, and has the workers end leases. Any thread. */
final class Holdings implements HoldingService {
  private final Limits limits;
  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final OwnTasks own;
  private final OwnerTasks owners;
  private final AdminAudit audit;
  private final Streams streams;
  private final CapabilityNames names;

  /**
   * @param own ends the leases of revoked capabilities
   * @param owners show and end the leases of a topic
   * @param names are left out while they cannot be found
   */
  Holdings(
      Limits limits,
      TopicDirectory topics,
      WorkerPool workers,
      OwnTasks own,
      OwnerTasks owners,
      AdminAudit audit,
      Streams streams,
      CapabilityNames names) {
    this.limits = limits;
    this.topics = topics;
    this.workers = workers;
    this.own = own;
    this.owners = owners;
    this.audit = audit;
    this.streams = streams;
    this.names = names;
  }

  @Override
  public List<HeldLease> leases(Caller caller, TopicName name, int limit) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, name);
    Topic topic = topics.existing(name);
    boolean isNamed = caller.may(Operation.AUDIT, name);
    List<HeldLease> oldest =
        owners.leases(caller, topic, limit).stream()
            .sorted(GroupTasks.BY_AGE)
            .limit(limit)
            .map(lease -> isNamed ? lease : lease.withoutHolder())
            .toList();
    return named(oldest, HeldLease::holder, HeldLease::named);
  }

  @Override
  public List<LeaseHolding> leaseHolders(Caller caller) {
    return named(tally(caller).greatest(), LeaseHolding::holder, LeaseHolding::named);
  }

  @Override
  public Map<String, Long> leaseCounts(Caller caller) {
    return tally(caller).counts();
  }

  private LeaseTally tally(Caller caller) {
    caller.require(Operation.AUDIT, null);
    own.scan();
    List<LeaseTally> each =
        workers.admin(ShardAdmin::leaseHolders).stream().map(WorkerReplies::await).toList();
    LeaseTally all = new LeaseTally(audit.wall().instant());
    each.forEach(all::add);
    return all;
  }

  private <T> List<T> named(
      List<T> held, Function<T, @Nullable String> holder, BiFunction<T, @Nullable String, T> name) {
    Set<String> nonces =
        held.stream().map(holder).filter(Objects::nonNull).collect(Collectors.toSet());
    try {
      // Unlike the store's map, this one can be asked for null.
      Map<String, String> found = new HashMap<>(names.names(nonces));
      return held.stream().map(one -> name.apply(one, found.get(holder.apply(one)))).toList();
    } catch (UnavailableException e) {
      // The nonces tell enough.
      return held;
    }
  }

  @Override
  public List<HeldStream> streams(Caller caller) {
    caller.require(Operation.AUDIT, null);
    return streams.held(MOST_STREAMS);
  }

  @Override
  public List<SharedBound> holdings(Caller caller) {
    caller.require(Operation.ADMIN, null);
    return Stream.concat(limits.fairBounds().map(Holdings::bound), Stream.of(namespaces()))
        .toList();
  }

  private SharedBound namespaces() {
    Stream<Shares.Part<String>> parts =
        topics.namespaces().entrySet().stream()
            .map(entry -> new Shares.Part<>(entry.getKey(), entry.getValue()));
    return new SharedBound(
        TopicDirectory.TOPICS_MAX,
        topics.size(),
        topics.most(),
        holders(Shares.greatest(parts, MOST_HOLDERS), Holdings::pattern),
        List.of());
  }

  /** The pattern in the form of a {@code topic} caveat. */
  private static String pattern(String namespace) {
    return namespace.isEmpty() ? "*" : namespace + ".*";
  }

  private static SharedBound bound(FairBound limit) {
    return new SharedBound(
        limit.total().reason(),
        limit.total().count(),
        limit.total().capacity(),
        holders(limit.largestTopics(MOST_HOLDERS), TopicName::value),
        holders(limit.largestCapabilities(MOST_HOLDERS), CapabilityId::nonce));
  }

  private static <H> List<Holder> holders(List<Shares.Part<H>> largest, Function<H, String> name) {
    return largest.stream()
        .map(part -> new Holder(name.apply(part.holder()), part.amount()))
        .toList();
  }

  @Override
  public long withdraw(Caller caller, TopicName name, LeaseSelection which, String note) {
    caller.require(Operation.ADMIN, name);
    Topic topic = topics.existing(name);
    audit.note(caller, "topic.leases.end", name, which + ": " + note);
    return owners.withdraw(caller, topic, which);
  }

  @Override
  public long withdraw(Caller caller, Revoked revoked) {
    audit.note(caller, revoked.right(), "capability.release_leases", revoked.subject());
    return own.withdraw(lease -> revoked.covers().test(lease.holder().id()));
  }
}
