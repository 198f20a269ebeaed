package org.svcmailbox.core.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.DamagedEntry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.problem.UnavailableException;

/** A log of an {@link InMemoryBrokerSession}. The first session that waits for a log gets it. */
final class InMemorySessionLog implements SessionLog {
  private final InMemoryBrokerSession session;
  private final InMemoryBroker broker;
  private final WorkerId worker;
  private final Map<Long, BatchLogEntry> held = new TreeMap<>();
  private final List<BatchLogEntry> acknowledged = new ArrayList<>();
  private int looks;
  private boolean isReleased;

  InMemorySessionLog(InMemoryBrokerSession session, InMemoryBroker broker, WorkerId worker) {
    this.session = session;
    this.broker = broker;
    this.worker = worker;
  }

  WorkerId worker() {
    return worker;
  }

  boolean isReleased() {
    return isReleased;
  }

  boolean hasEntries() {
    return !(held.isEmpty() && acknowledged.isEmpty());
  }

  /** Whether the open transaction ends entries. */
  boolean hasStaged() {
    return !acknowledged.isEmpty();
  }

  @Override
  public List<BatchLogEntry> receive(Duration atMost) {
    List<BatchLogEntry> arrived = new ArrayList<>();
    Consumer<Duration> delay = broker.logDelay();
    used(
        () -> {
          looks++;
          if (hasNothingYet()) {
            return;
          }
          arrived.addAll(broker.log(worker).values());
          arrived.forEach(entry -> held.put(entry.number(), entry));
          broker.log(worker).clear();
        });
    if (arrived.isEmpty() && delay != null) {
      delay.accept(atMost);
    }
    return arrived;
  }

  private boolean hasNothingYet() {
    return broker.holdsLogs() || (broker.logDelay() != null && looks < 2) || !broker.isFirst(this);
  }

  @Override
  public List<DamagedEntry> damaged() {
    List<DamagedEntry> all = new ArrayList<>();
    used(() -> all.addAll(hasNothingYet() ? List.of() : broker.damaged(worker).values()));
    return all;
  }

  @Override
  public void acknowledgeDamaged() {
    staging(() -> session.stage(() -> broker.damaged(worker).clear()));
  }

  @Override
  public void stage(BatchLog.Change change) {
    staging(
        () -> {
          change.ended().forEach(this::acknowledge);
          change
              .added()
              .forEach(entry -> session.stage(() -> broker.log(worker).put(entry.number(), entry)));
        });
  }

  private void acknowledge(BatchLogEntry entry) {
    if (!held.containsKey(entry.number())) {
      session.doom();
    }
    acknowledged.add(entry);
    session.stage(() -> held.remove(entry.number()));
  }

  @Override
  public void release() {
    used(
        () -> {
          session.requireNothingStaged();
          broker.requireReleased(worker, session.held());
          isReleased = true;
          lose();
        });
  }

  /** Takes back the entries that the session believes it holds, for others that wait. */
  void lose() {
    broker.log(worker).putAll(held);
    held.clear();
    broker.detach(this);
  }

  /** The transaction has ended, or is no longer the session's. */
  void ended() {
    acknowledged.clear();
  }

  /** Passes what the open transaction has acknowledged to that transaction. */
  List<BatchLogEntry> detach() {
    acknowledged.forEach(entry -> held.remove(entry.number()));
    return List.copyOf(acknowledged);
  }

  private void used(Runnable work) {
    session.used(held(work));
  }

  private void staging(Runnable work) {
    session.staging(held(work));
  }

  private Runnable held(Runnable work) {
    return () -> {
      if (isReleased) {
        throw new UnavailableException("this session has released the log of worker " + worker);
      }
      work.run();
    };
  }
}
