package org.svcmailbox.ejb.broker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchPages;
import org.svcmailbox.core.batch.GroupTakeover;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.KeyTakenException;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.StoreAcceptance;
import org.svcmailbox.core.batch.StoreMending;
import org.svcmailbox.core.batch.Taken;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Owners of the same groups, one after the other, and a checker of what each finds. An owner
 * commits batches that span all groups. It loses its session while the last one is under way, with
 * messages held and some of them acknowledged in it. The next owner makes the logs whole, and then
 * must find one of two states: with that batch or without it.
 *
 * <p>Two processes take turns, or one follows itself. Each keeps what it knows of the groups, and
 * its projector goes on. Sometimes another process takes its place.
 */
final class GroupDrill implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");
  private static final int MOST_MESSAGES = 3;
  private static final long SHORT_NANOS = Duration.ofMillis(1).toNanos();
  private static final int LONGER = 6;

  /** The finding that a commit changed only some of its logs. */
  static final String HALF = "one log has the batch and another has not";

  /** The rules that owners keep; each control breaks one. */
  enum Rule {
    ALL,
    /** Batches do not acknowledge the oldest entries of their logs. */
    NO_FENCE,
    /** Each log is changed by a commit of its own. */
    COMMITS_APART
  }

  private final GroupNodes nodes;
  private final List<WorkerId> groups;
  private final Random random;
  private final Rule rules;
  private final Duration afterwards;
  private final InMemoryProjectionStore store = new InMemoryProjectionStore();
  private final Map<WorkerId, Facts> facts = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private final List<Long> takeovers = new ArrayList<>();
  private final List<Contender> processes = new ArrayList<>();
  private Contender process;
  private GroupSession owner;
  private int messages;
  private int committed;
  private int answers;

  /** All that is certain of a group. */
  private static final class Facts {
    private BatchId last = BatchId.NONE;
    private final List<Integer> queue = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
  }

  /** A process with all that it knows of the groups. */
  private static final class Contender {
    private final SendRegistry registry;
    private final long life;
    private final Map<WorkerId, GroupTakeover> takeovers = new HashMap<>();

    Contender(InMemoryProjectionStore store, List<WorkerId> groups, long life) {
      this.registry = new SendRegistry(store, System::nanoTime);
      this.life = life;
      registry.begin(new StoreMending(registry, new StoreAcceptance(List.of()), List.of()));
      groups.forEach(group -> takeovers.put(group, new GroupTakeover(group, registry)));
    }

    GroupTakeover takeover(WorkerId group) {
      return requireNonNull(takeovers.get(group));
    }
  }

  /** A batch of a group, and how many messages its transaction ends. */
  private record Step(Batch batch, List<Row> rows, List<Integer> sent, int ended) {}

  /**
   * Begins with an owner that has all groups.
   *
   * @param afterwards how long after a takeover nothing more may come
   */
  GroupDrill(
      GroupNodes nodes, List<WorkerId> groups, Random random, Rule rules, Duration afterwards) {
    this.nodes = nodes;
    this.groups = groups;
    this.random = random;
    this.rules = rules;
    this.afterwards = afterwards;
    groups.forEach(group -> facts.put(group, new Facts()));
    processes.add(new Contender(store, groups, random.nextLong()));
    processes.add(new Contender(store, groups, random.nextLong()));
    process = processes.get(0);
    owner = attached(process);
    takeOver(Map.of(), false);
  }

  private GroupSession attached(Contender by) {
    GroupSession session = nodes.open();
    groups.forEach(group -> session.attach(group, by.life));
    return session;
  }

  /** One owner's life, and its end. */
  void round() {
    for (int left = random.nextInt(3) + (rules == Rule.NO_FENCE ? 1 : 0); left > 0; left--) {
      Map<WorkerId, Step> steps = next(/* ends= */ false);
      stage(steps);
      owner.commit();
      steps.forEach((group, step) -> happened(facts(group), step));
      steps
          .values()
          .forEach(step -> process.registry.resolve(step.batch().worker(), step.batch().id()));
    }
    if (random.nextBoolean()) {
      process.registry.projector().drain();
    }
    for (WorkerId group : groups) {
      List<Integer> unused = owner.take(group);
    }
    Map<WorkerId, Step> open = next(/* ends= */ true);
    GroupSession before = owner;
    Contender former = process;
    Contender heir = heir();
    GroupSession early = random.nextBoolean() ? attached(heir) : null;
    requireNothing(early);
    boolean answered = end(open);
    process = heir;
    owner = early == null ? attached(heir) : early;
    long since = System.nanoTime();
    takeOver(open, answered);
    takeovers.add(System.nanoTime() - since - afterwards.toNanos());
    before.close();
    if (former != heir && random.nextBoolean()) {
      former.registry.projector().drain();
    }
  }

  /** One of the two, or a third one in place of the one that does not own the groups. */
  private Contender heir() {
    int number = random.nextInt(processes.size());
    if (processes.get(number) != process && random.nextInt(4) == 0) {
      processes.set(number, new Contender(store, groups, random.nextLong()));
    }
    return processes.get(number);
  }

  private void requireNothing(@Nullable GroupSession early) {
    if (early == null) {
      return;
    }
    for (WorkerId group : groups) {
      if (early.isWhole(group, Duration.ZERO) || !early.newest(group).equals(BatchId.NONE)) {
        violations.add("the log of group " + group + " came while its owner lived");
      }
    }
  }

  private Facts facts(WorkerId group) {
    return facts.computeIfAbsent(group, none -> new Facts());
  }

  private Map<WorkerId, Step> next(boolean ends) {
    Map<WorkerId, Step> steps = new HashMap<>();
    for (WorkerId group : groups) {
      Facts known = facts(group);
      int count = 1 + random.nextInt(MOST_MESSAGES);
      LedgerHead head = process.registry.head(ledger(group));
      List<Row> rows =
          new SampleShard(topic(group), 0, head)
              .rows("k" + messages + "-" + random.nextInt(), count, LATER);
      List<Integer> sent = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        sent.add(messages++);
      }
      BatchId id = new BatchId(known.last.number() + 1, random.nextLong());
      int ended = ends ? random.nextInt(known.queue.size() + 1) : 0;
      steps.put(group, new Step(new Batch(group, id, BatchPages.of(rows)), rows, sent, ended));
    }
    return steps;
  }

  private static int topic(WorkerId group) {
    return 1 + group.number();
  }

  private static LedgerId ledger(WorkerId group) {
    return new LedgerId(topic(group), 0);
  }

  private void stage(Map<WorkerId, Step> steps) {
    for (Step step : steps.values()) {
      WorkerId group = step.batch().worker();
      if (!owner.log(group).hasRoom(process.registry.projector().applied(group))) {
        process.registry.projector().drain();
      }
      take(step.batch());
      owner.acknowledge(group, step.ended());
      BatchId applied = process.registry.projector().applied(group);
      owner.stage(step.batch(), applied, step.sent(), rules != Rule.NO_FENCE);
    }
  }

  private void take(Batch batch) {
    try {
      process.registry.take(batch, NOW);
    } catch (KeyTakenException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns whether the commit was answered. */
  private boolean end(Map<WorkerId, Step> open) {
    return switch (random.nextInt(5)) {
      case 0 -> closeInOrder(open);
      case 1 -> cutBetweenParts(open);
      default -> commitAndCut(open);
    };
  }

  /** Ends the session as a node does that stops, perhaps with a last batch. */
  private boolean closeInOrder(Map<WorkerId, Step> open) {
    boolean commits = random.nextBoolean();
    if (commits) {
      stage(open);
      owner.commit();
    }
    for (WorkerId group : groups) {
      owner.releaseShard(group);
    }
    owner.close();
    return commits;
  }

  /** Loses the session when the transaction has what it changes of some logs only. */
  private boolean cutBetweenParts(Map<WorkerId, Step> open) {
    int first = 1 + random.nextInt(groups.size());
    stage(of(open, groups.subList(0, first)));
    if (rules == Rule.COMMITS_APART) {
      owner.commit();
    }
    nodes.cut(owner);
    return commit(of(open, groups.subList(first, groups.size())));
  }

  private static Map<WorkerId, Step> of(Map<WorkerId, Step> all, List<WorkerId> some) {
    Map<WorkerId, Step> steps = new HashMap<>(all);
    steps.keySet().retainAll(some);
    return steps;
  }

  private boolean commitAndCut(Map<WorkerId, Step> open) {
    boolean together = random.nextInt(3) == 0;
    if (together) {
      nodes.hold(owner);
    }
    CompletableFuture<Boolean> committing = CompletableFuture.supplyAsync(() -> commit(open));
    // From before the batch is staged until long after its commit was answered.
    pause(SHORT_NANOS << random.nextInt(LONGER));
    if (together) {
      // The broker finds the commit and the end of its connection at about the same time.
      nodes.release(owner);
      pause(SHORT_NANOS);
    }
    nodes.cut(owner);
    return committing.join();
  }

  private void pause(long atMost) {
    LockSupport.parkNanos(random.nextLong(atMost));
  }

  private boolean commit(Map<WorkerId, Step> open) {
    try {
      stage(open);
      owner.commit();
      return true;
    } catch (UnavailableException e) {
      return false;
    }
  }

  private void takeOver(Map<WorkerId, Step> open, boolean answered) {
    boolean found = false;
    boolean missing = false;
    for (WorkerId group : groups) {
      if (!owner.isWhole(group, PATIENCE)) {
        throw new AssertionError("the log of group " + group + " does not become whole");
      }
      BatchId last = owner.log(group).lastBatch();
      Step step = open.get(group);
      if (step != null && step.batch().id().equals(last)) {
        found = true;
        happened(facts(group), step);
        continue;
      }
      missing |= step != null;
      if (!last.equals(facts(group).last)) {
        violations.add(
            "%s is the last of group %s, not %s".formatted(last, group, facts(group).last));
      }
    }
    committed += found ? 1 : 0;
    answers += answered ? 1 : 0;
    if (found && missing) {
      violations.add(HALF);
    }
    if (answered && missing) {
      violations.add("an answered batch is not there");
    }
    load();
    compareKeys(open);
    compareMessages();
  }

  private static void happened(Facts known, Step step) {
    known.last = step.batch().id();
    known.queue.subList(0, step.ended()).clear();
    known.queue.addAll(step.sent());
    known.rows.addAll(step.rows());
  }

  /** Each group for itself: opened by an entry, brought into the database, and loaded. */
  private void load() {
    for (WorkerId group : groups) {
      GroupTakeover takeover = process.takeover(group);
      takeover.attached(owner.log(group));
      BatchLog.Change change = takeover.next();
      process.registry.projector().drain();
      if (change == null) {
        change = takeover.next();
      }
      if (change != null) {
        open(group, takeover, change);
      }
      if (takeover.state() != GroupTakeover.State.HELD) {
        violations.add("group %s is %s".formatted(group, takeover.state()));
      }
    }
  }

  private void open(WorkerId group, GroupTakeover takeover, BatchLog.Change change) {
    owner.stage(group, change, /* fenced= */ true);
    owner.commit();
    takeover.opened(change);
    if (takeover.next() != null) {
      violations.add("group " + group + " is opened twice");
    }
  }

  private void compareKeys(Map<WorkerId, Step> open) {
    for (WorkerId group : groups) {
      List<Row> rows = facts(group).rows;
      Map<?, Taken> taken = process.registry.find(rows.stream().map(Row::key).toList(), NOW);
      for (Row row : rows) {
        if (!new Taken.Confirmed(row.reservation()).equals(taken.get(row.key()))) {
          violations.add("a key of group %s is %s".formatted(group, taken.get(row.key())));
        }
      }
      Step step = open.get(group);
      if (step != null && !step.batch().id().equals(facts(group).last)) {
        List<?> known =
            List.copyOf(
                process.registry.find(step.rows().stream().map(Row::key).toList(), NOW).values());
        if (!known.isEmpty()) {
          violations.add("keys without messages in group " + group + ": " + known);
        }
      }
      LedgerHead head =
          rows.isEmpty() ? LedgerHead.EMPTY : LedgerHead.after(rows.get(rows.size() - 1).entry());
      if (!process.registry.head(ledger(group)).equals(head)) {
        violations.add("the ledger of group " + group + " ends elsewhere");
      }
    }
  }

  private void compareMessages() {
    for (WorkerId group : groups) {
      List<Integer> got = owner.take(group);
      if (!got.equals(facts(group).queue)) {
        violations.add("group %s has %s, not %s".formatted(group, got, facts(group).queue));
      }
    }
    LockSupport.parkNanos(afterwards.toNanos());
    for (WorkerId group : groups) {
      List<Integer> more = owner.take(group);
      if (!more.isEmpty()) {
        violations.add("group %s has %s late".formatted(group, more));
      }
    }
  }

  /** All that was wrong. */
  List<String> violations() {
    return List.copyOf(violations);
  }

  /** The rounds and their outcomes, in words. */
  String summary() {
    long[] sorted = takeovers.stream().mapToLong(Long::longValue).sorted().toArray();
    return ("%d rounds: the last batch was there in %d, answered in %d; takeover median %d ms,"
            + " longest %d ms")
        .formatted(
            sorted.length,
            committed,
            answers,
            sorted.length == 0 ? 0 : sorted[sorted.length / 2] / 1_000_000,
            sorted.length == 0 ? 0 : sorted[sorted.length - 1] / 1_000_000);
  }

  @Override
  public void close() {
    nodes.close();
  }
}
