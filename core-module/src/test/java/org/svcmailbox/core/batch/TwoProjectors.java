package org.svcmailbox.core.batch;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.Together;

/**
 * Two projectors of one log on one store, as a former owner and its heir are for a moment. The heir
 * has all that the owner has, because it begins with a whole log.
 */
final class TwoProjectors {
  private static final int BATCHES = 60;

  /** As many as the former owner has seen committed. */
  private static final int FORMER = 40;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");
  private static final WorkerId WORKER = WorkerId.of(0);

  private final ProjectionStore store;
  private final SampleShard shard = new SampleShard(1, 0);
  private final List<Row> rows = new ArrayList<>();
  private final List<Batch> batches = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final Projector former;
  private final Projector heir;

  private TwoProjectors(ProjectionStore store) {
    this.store = store;
    for (int number = 1; number <= BATCHES; number++) {
      List<Row> some = shard.rows("k" + number, 1 + number % 3, LATER);
      rows.addAll(some);
      batches.add(SampleBatch.of(0, number, some));
    }
    this.former = projector(List.of());
    this.heir = projector(batches.subList(0, FORMER));
  }

  /** Has both write the same batches into an empty store at once; returns all that is wrong. */
  static List<String> violationsAtOnce(ProjectionStore store) throws Exception {
    TwoProjectors both = new TwoProjectors(store);
    both.judge(Together.run(List.of(() -> both.formerAdds(0, FORMER), both::heirAdds)));
    return both.violations;
  }

  /** The same, with all that the heir does between two batches of the former owner. */
  static List<String> violationsInTurns(ProjectionStore store) {
    TwoProjectors both = new TwoProjectors(store);
    both.judge(
        List.of(
            both.formerAdds(0, FORMER / 2), both.heirAdds(), both.formerAdds(FORMER / 2, FORMER)));
    return both.violations;
  }

  /** The former owner is a batch ahead of each transaction of the heir. */
  static List<String> violationsAlwaysBehind(ProjectionStore store) {
    TwoProjectors both = new TwoProjectors(overtaken(store));
    both.judge(List.of(both.heirAdds()));
    return both.violations;
  }

  /** The store, with the first batch of each transaction written just before by somebody else. */
  private static ProjectionStore overtaken(ProjectionStore store) {
    return (ProjectionStore)
        Proxy.newProxyInstance(
            ProjectionStore.class.getClassLoader(),
            new Class<?>[] {ProjectionStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("apply")) {
                Advance advance = (Advance) ((List<?>) arguments[0]).get(0);
                List<Batch> first = advance.batches().subList(0, 1);
                store.apply(List.of(new Advance(advance.worker(), advance.from(), first)));
              }
              return invoke(store, method, arguments);
            });
  }

  private static @Nullable Object invoke(
      ProjectionStore store, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private String formerAdds(int from, int to) {
    return project(former, batches.subList(from, to), BatchId.NONE);
  }

  private String heirAdds() {
    return project(heir, batches.subList(FORMER, BATCHES), batches.get(BATCHES - 1).id());
  }

  private void judge(List<String> failures) {
    failures.stream().filter(text -> !text.isEmpty()).forEach(violations::add);
    if (!heir.trouble().isEmpty()) {
      violations.add(heir.trouble());
    }
    compare("last batch", batches.get(BATCHES - 1).id(), store.applied(WORKER));
    List<LedgerEntry> entries = rows.stream().map(Row::entry).toList();
    compare("ledger", entries, store.ledger(shard.ledger(), 1, rows.size() + 1));
    Map<IdempotencyKey, Reservation> expected = new HashMap<>();
    rows.forEach(row -> expected.put(row.key(), row.reservation()));
    compare("keys", expected, keys());
  }

  private Projector projector(List<Batch> logged) {
    Projector projector = new Projector(store, new ReservedKeys(store), System::nanoTime);
    projector.begin(WORKER, BatchId.NONE, BatchId.NONE, logged);
    return projector;
  }

  /**
   * Adds batches one by one, as their commits come, and writes what it can.
   *
   * @param last the one that must be written in the end
   */
  private static String project(Projector projector, List<Batch> added, BatchId last) {
    try {
      for (Batch batch : added) {
        projector.add(batch, List.of());
        projector.drain();
      }
      Deadline.in(PATIENCE)
          .await(
              () -> {
                projector.drain();
                return projector.applied(WORKER).number() >= last.number();
              },
              () -> last + ", but there is " + projector.applied(WORKER));
      return "";
    } catch (RuntimeException | AssertionError e) {
      return e.toString();
    }
  }

  private Map<IdempotencyKey, Reservation> keys() {
    Map<IdempotencyKey, Reservation> found = new HashMap<>();
    SampleBatch.everyKeyPage(
        store,
        (batchNo, keys) ->
            keys.forEach(
                key -> {
                  Reservation reservation = keys.find(key);
                  if (reservation == null || found.put(key, reservation) != null) {
                    violations.add("a key is in two pages");
                  }
                }));
    return found;
  }

  private void compare(String what, Object expected, Object found) {
    if (!expected.equals(found)) {
      violations.add("%s: %s, not %s".formatted(what, found, expected));
    }
  }
}
