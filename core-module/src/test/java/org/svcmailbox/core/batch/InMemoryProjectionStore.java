package org.svcmailbox.core.batch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Fault;

/**
 * The projection as maps: it survives a worker and, in tests, a process. It can be away, fail once
 * before or after a write took effect, and keep a transaction open that it ends later.
 */
public final class InMemoryProjectionStore implements ProjectionStore {
  /** Bytes of one entry in {@link #ledgerBytes}. */
  public static final int ENTRY_BYTES = 80;

  private record PageId(WorkerId worker, long batchNo, long expiresAt) {
    static final Comparator<PageId> ORDER =
        Comparator.comparing(PageId::worker)
            .thenComparingLong(PageId::batchNo)
            .thenComparingLong(PageId::expiresAt);
  }

  private final Map<WorkerId, BatchId> applied = new TreeMap<>();
  private final Map<PageId, StoredKeys> keys = new TreeMap<>(PageId.ORDER);
  private final Map<LedgerId, NavigableMap<Long, LedgerPage>> ledgers = new HashMap<>();
  private final Map<LedgerId, LedgerHead> heads = new HashMap<>();
  private final Map<LedgerId, LedgerHead> starts = new HashMap<>();
  private final Set<Integer> deleted = new HashSet<>();
  private @Nullable Supplier<Set<Integer>> topics;
  private long floor;
  private boolean isAway;
  private @Nullable Fault nextFault;
  private boolean isDeadly;
  private boolean isLateNext;
  private @Nullable List<Advance> late;
  private Consumer<List<Advance>> observer = advances -> {};
  private Function<Batch, String> refusal = batch -> "";

  /** A copy of everything that is in it. */
  public synchronized InMemoryProjectionStore copy() {
    InMemoryProjectionStore copy = new InMemoryProjectionStore();
    copy.replaceBy(this);
    return copy;
  }

  /** Puts a copy in the place of everything that is in it. */
  public synchronized void replaceBy(InMemoryProjectionStore other) {
    replace(applied, other.applied);
    replace(keys, other.keys);
    ledgers.clear();
    other.ledgers.forEach((ledger, pages) -> ledgers.put(ledger, new TreeMap<>(pages)));
    replace(heads, other.heads);
    replace(starts, other.starts);
    deleted.clear();
    deleted.addAll(other.deleted);
    floor = other.floor;
  }

  private static <K, V> void replace(Map<K, V> content, Map<K, V> by) {
    content.clear();
    content.putAll(by);
  }

  /** Makes every call fail from now on, or none. */
  public synchronized void away(boolean is) {
    isAway = is;
  }

  /** Makes the next write throw {@link UnavailableException}. */
  public synchronized void failNext(Fault fault) {
    nextFault = fault;
    isDeadly = false;
  }

  /** Makes the next write throw an error, of which a thread dies. */
  public synchronized void dieNext(Fault fault) {
    nextFault = fault;
    isDeadly = true;
  }

  /** Makes the next {@link #apply} fail and stay open until {@link #endLate}. */
  public synchronized void lateNext() {
    isLateNext = true;
  }

  /** Has each transaction of the projection shown to {@code by} before anything else happens. */
  public synchronized void observe(Consumer<List<Advance>> by) {
    observer = by;
  }

  /** Whether a transaction is open that nobody waits for any more. */
  public synchronized boolean hasLate() {
    return late != null;
  }

  /** Ends the transaction that is open. */
  public synchronized void endLate(boolean takesEffect) {
    List<Advance> ended = late;
    late = null;
    if (takesEffect && ended != null) {
      ended.forEach(this::advance);
    }
  }

  @Override
  public synchronized void apply(List<Advance> advances) throws MovedException {
    observer.accept(advances);
    requireHere();
    if (late != null) {
      throw new UnavailableException("an earlier transaction holds the rows");
    }
    failIf(Fault.BEFORE);
    for (Advance advance : advances) {
      if (!applied(advance.worker()).equals(advance.from())) {
        throw new MovedException(advance.worker());
      }
    }
    advances.forEach(InMemoryProjectionStore::check);
    advances.stream().flatMap(advance -> advance.batches().stream()).forEach(this::refuse);
    requireContinued(advances);
    if (isLateNext) {
      isLateNext = false;
      late = List.copyOf(advances);
      throw new UnavailableException("told to end later");
    }
    advances.forEach(this::advance);
    failIf(Fault.AFTER);
  }

  /** Makes the database refuse batches with pages, for the reason given; an empty one is none. */
  public synchronized void refuse(Function<Batch, String> why) {
    refusal = why;
  }

  private void refuse(Batch batch) {
    String why = refusal.apply(batch);
    if (!why.isEmpty() && batch.pages().size() > 0) {
      throw new BatchRefusedException(why);
    }
    for (StoredKeys page : batch.pages().keys()) {
      if (keys.containsKey(new PageId(batch.worker(), batch.id().number(), page.expiresAt()))) {
        throw new BatchRefusedException("idempotency_page has the keys of " + batch.id());
      }
    }
  }

  /** The first page of each ledger continues it, as a database looks at it. */
  private void requireContinued(List<Advance> advances) {
    Map<LedgerId, Long> firsts = new HashMap<>();
    advances.stream()
        .flatMap(advance -> advance.batches().stream())
        .flatMap(batch -> batch.pages().ledgers().stream())
        .forEach(page -> firsts.merge(page.ledger(), page.firstSeq(), Math::min));
    firsts.forEach(
        (ledger, first) -> {
          if (head(ledger).seq() >= first) {
            throw new BatchRefusedException("ledger_head: " + ledger + " has " + first);
          }
        });
  }

  private LedgerHead head(LedgerId ledger) {
    return heads.getOrDefault(ledger, LedgerHead.EMPTY);
  }

  private static void check(Advance advance) {
    long number = advance.from().number();
    for (Batch batch : advance.batches()) {
      if (!batch.worker().equals(advance.worker()) || batch.id().number() <= number) {
        throw new IllegalArgumentException(batch.id() + " of worker " + batch.worker());
      }
      number = batch.id().number();
    }
  }

  private void advance(Advance advance) {
    applied.put(advance.worker(), advance.to());
    advance.batches().forEach(this::writePages);
  }

  private void writePages(Batch batch) {
    writeKeys(batch);
    batch.pages().ledgers().forEach(this::writePage);
  }

  private void writePage(LedgerPage page) {
    if (pages(page.ledger()).put(page.firstSeq(), page) != null) {
      throw new IllegalStateException(page.ledger() + " has a page " + page.firstSeq());
    }
    heads.merge(page.ledger(), page.head(), InMemoryProjectionStore::higher);
  }

  private static LedgerHead higher(LedgerHead one, LedgerHead other) {
    return one.seq() > other.seq() ? one : other;
  }

  private void writeKeys(Batch batch) {
    for (StoredKeys page : batch.pages().keys()) {
      PageId id = new PageId(batch.worker(), batch.id().number(), page.expiresAt());
      if (keys.put(id, page) != null) {
        throw new IllegalStateException(id + " is there already");
      }
    }
  }

  @Override
  public synchronized BatchId applied(WorkerId worker) {
    requireHere();
    return applied.getOrDefault(worker, BatchId.NONE);
  }

  @Override
  public synchronized List<WorkerId> workers() {
    requireHere();
    return List.copyOf(applied.keySet());
  }

  @Override
  public synchronized void logsMade(Set<WorkerId> workers) {
    requireHere();
    failIf(Fault.BEFORE);
    workers.forEach(worker -> applied.putIfAbsent(worker, BatchId.NONE));
    failIf(Fault.AFTER);
  }

  /** Which topics exist; without that all do. */
  public synchronized void topics(Supplier<Set<Integer>> ids) {
    topics = ids;
  }

  @Override
  public synchronized Set<Integer> unknownTopics(Set<Integer> wanted) {
    requireHere();
    if (topics == null) {
      return Set.of();
    }
    Set<Integer> unknown = new HashSet<>(wanted);
    unknown.removeAll(topics.get());
    unknown.removeAll(deleted);
    return unknown;
  }

  @Override
  public synchronized void adopt(Adoption adoption) {
    requireHere();
    failIf(Fault.BEFORE);
    if (adoption.skipped() > 0) {
      long highest = heads.values().stream().mapToLong(LedgerHead::seq).max().orElse(0);
      floor = Math.max(Math.max(floor, highest), adoption.given()) + adoption.skipped();
    }
    keys.keySet()
        .removeIf(
            page ->
                page.worker().equals(adoption.worker()) && page.batchNo() > adoption.keysAfter());
    applied.put(adoption.worker(), adoption.last());
    failIf(Fault.AFTER);
  }

  @Override
  public synchronized void keyPages(WorkerId worker, KeyPages to) {
    requireHere();
    keys.forEach(
        (id, page) -> {
          if (id.worker().equals(worker)) {
            to.page(id.batchNo(), page);
          }
        });
  }

  @Override
  public synchronized byte[] entries(WorkerId worker, long batchNo, long expiresAt) {
    requireHere();
    StoredKeys page = keys.get(new PageId(worker, batchNo, expiresAt));
    return page == null ? new byte[0] : page.entries();
  }

  @Override
  public synchronized void purgeKeys(Set<WorkerId> workers, long until) {
    requireHere();
    keys.keySet().removeIf(page -> workers.contains(page.worker()) && page.expiresAt() <= until);
  }

  /** How many keys are stored. */
  public synchronized long countKeys() {
    return keys.values().stream().mapToLong(StoredKeys::size).sum();
  }

  @Override
  public synchronized Map<LedgerId, LedgerHead> heads() {
    requireHere();
    return Map.copyOf(heads);
  }

  @Override
  public synchronized Map<LedgerId, LedgerHead> pageEnds() {
    requireHere();
    Map<LedgerId, LedgerHead> ends = new HashMap<>();
    ledgers.forEach(
        (ledger, pages) -> {
          if (!pages.isEmpty()) {
            ends.put(ledger, pages.lastEntry().getValue().head());
          }
        });
    return ends;
  }

  @Override
  public synchronized void putHeads(Map<LedgerId, LedgerHead> by) {
    requireHere();
    heads.putAll(by);
  }

  @Override
  public synchronized long floor() {
    requireHere();
    return floor;
  }

  @Override
  public synchronized List<LedgerEntry> ledger(LedgerId ledger, long from, int limit) {
    requireHere();
    List<LedgerEntry> found = new ArrayList<>();
    pages(ledger)
        .values()
        .forEach(page -> found.addAll(LedgerPage.entries(page.firstSeq(), page.entries())));
    return found.stream().filter(entry -> entry.seq() >= from).limit(limit).toList();
  }

  @Override
  public synchronized LedgerHead ledgerStart(LedgerId ledger) {
    requireHere();
    return starts.getOrDefault(ledger, LedgerHead.EMPTY);
  }

  @Override
  public synchronized int trimLedger(LedgerId ledger, Instant before, int limit) {
    requireHere();
    NavigableMap<Long, LedgerPage> pages = pages(ledger);
    int trimmed = 0;
    for (int i = 0; i < limit && pages.size() > 1; i++) {
      LedgerPage oldest = pages.firstEntry().getValue();
      if (!madeAt(oldest).isBefore(before)) {
        break;
      }
      pages.pollFirstEntry();
      starts.put(ledger, oldest.head());
      trimmed += oldest.entries().length / LedgerPage.ENTRY_BYTES;
    }
    return trimmed;
  }

  @Override
  public synchronized Optional<Instant> ledgerOldest(LedgerId ledger) {
    requireHere();
    return Optional.ofNullable(pages(ledger).firstEntry()).map(first -> madeAt(first.getValue()));
  }

  private static Instant madeAt(LedgerPage page) {
    List<LedgerEntry> entries = LedgerPage.entries(page.firstSeq(), page.entries());
    return entries.get(entries.size() - 1).msgId().createdAt();
  }

  @Override
  public synchronized long ledgerBytes() {
    requireHere();
    return ledgers.values().stream()
        .flatMap(pages -> pages.values().stream())
        .mapToLong(page -> page.entries().length)
        .sum();
  }

  @Override
  public synchronized Swept sweepDeleted(int limit, Set<Integer> spared) {
    requireHere();
    int swept = 0;
    List<Integer> gone = new ArrayList<>();
    for (int topic : Set.copyOf(deleted)) {
      for (LedgerId ledger : List.copyOf(ledgers.keySet())) {
        boolean goes = ledger.topicId() == topic && !spared.contains(topic);
        while (goes && swept < limit && pages(ledger).pollFirstEntry() != null) {
          swept++;
        }
      }
      if (swept < limit && gone.size() < limit && !spared.contains(topic)) {
        heads.keySet().removeIf(ledger -> ledger.topicId() == topic);
        starts.keySet().removeIf(ledger -> ledger.topicId() == topic);
        deleted.remove(topic);
        gone.add(topic);
      }
    }
    return new Swept(swept, gone);
  }

  /** Marks a topic's ledgers, as its deletion does. */
  public synchronized void deleteTopic(int topicId) {
    deleted.add(topicId);
  }

  /** Takes the mark of a topic back. */
  public synchronized void keepTopic(int topicId) {
    deleted.remove(topicId);
  }

  private NavigableMap<Long, LedgerPage> pages(LedgerId ledger) {
    return ledgers.computeIfAbsent(ledger, none -> new TreeMap<>());
  }

  private void requireHere() {
    if (isAway) {
      throw new UnavailableException("told to be away");
    }
  }

  private void failIf(Fault fault) {
    if (nextFault == fault) {
      nextFault = null;
      if (isDeadly) {
        throw new OutOfMemoryError("on request, " + fault);
      }
      throw new UnavailableException("told to fail " + fault);
    }
  }
}
