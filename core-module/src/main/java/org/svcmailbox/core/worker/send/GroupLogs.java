package org.svcmailbox.core.worker.send;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.worker.state.GroupsHere;
import org.svcmailbox.core.worker.state.WorkerContext;

/** The batch logs of one worker's groups, in one broker session. */
public final class GroupLogs {
  private final WorkerContext context;
  private final Map<WorkerId, BatchLogWriter> writers = new LinkedHashMap<>();

  public GroupLogs(WorkerContext context, BatchLogPorts ports) {
    this.context = context;
    for (WorkerId group : context.slots().groups()) {
      writers.put(group, new BatchLogWriter(context, ports, group));
    }
  }

  /** Begins with a new session. */
  public void opened() {
    writers.values().forEach(BatchLogWriter::opened);
  }

  /**
   * Takes each group over as far as its log has arrived. Only between transactions.
   *
   * @return the groups that are no other process's any more, and are not yet served
   */
  public List<WorkerId> takeOver() {
    writers.values().forEach(BatchLogWriter::awaitOutcomes);
    GroupsHere here = context.slots().here();
    return here.isAlone()
        ? List.of()
        : writers.values().stream()
            .filter(writer -> writer.mayServe() && !here.serves(writer.group()))
            .map(BatchLogWriter::group)
            .toList();
  }

  /**
   * Waits for a group's log in the present session.
   *
   * @throws UnavailableException also if there is no such log
   */
  public void attach(WorkerId group) {
    writer(group).attach();
  }

  /** Gives a group's log away, after the group's shards. Only between transactions. */
  public void release(WorkerId group) {
    writer(group).release();
  }

  /** The number of the entry that opened a group here last. */
  public long epoch(WorkerId group) {
    return writer(group).epoch();
  }

  /** The leases that came with a group when it was opened here last, as its owner wrote them. */
  public List<ByteBuffer> handedOver(WorkerId group) {
    return writer(group).handedOver();
  }

  /** Whether a group takes SENDs. Any thread. */
  public boolean holds(WorkerId group) {
    return writer(group).isHeld();
  }

  /** Why a group is closed, for operators; empty if it is not. Any thread. */
  public String trouble(WorkerId group) {
    return writer(group).trouble();
  }

  private BatchLogWriter writer(WorkerId group) {
    return requireNonNull(writers.get(group));
  }

  void onCommit() {
    writers.values().forEach(BatchLogWriter::onCommit);
  }

  /** Whether the outcomes of all earlier transactions are known. Any thread. */
  public boolean isResolved() {
    return writers.values().stream().allMatch(BatchLogWriter::isResolved);
  }

  /** Whether a group takes no SENDs because a transaction does not end. Any thread. */
  public boolean isStuck() {
    return writers.values().stream().anyMatch(BatchLogWriter::isStuck);
  }

  /** How many nanoseconds the worker may sleep, at most {@code atMost}. */
  public long untilNextLook(long atMost) {
    long left = atMost;
    for (BatchLogWriter writer : writers.values()) {
      left = writer.untilNextLook(left);
    }
    return left;
  }

  /** The SENDs of each group. */
  Map<BatchLogWriter, List<Send>> byGroup(List<Send> sends) {
    return writers.size() == 1
        ? Map.of(writers.values().iterator().next(), sends)
        : byGroup(sends, send -> send.shard().slot());
  }

  private <T> Map<BatchLogWriter, List<T>> byGroup(List<T> all, ToIntFunction<T> slot) {
    return all.stream()
        .collect(groupingBy(one -> of(slot.applyAsInt(one)), LinkedHashMap::new, toList()));
  }

  private BatchLogWriter of(int slot) {
    return writer(context.slots().groupOf(slot));
  }

  /**
   * Stages leases for their groups' next lives, as the newest entries. Only between transactions.
   *
   * @param slot the routing slot of a lease
   * @param encode the entries' bodies for leases
   * @return false if a log takes no entries now, and nothing is staged
   */
  public <T> boolean stageHandover(
      List<T> leases, ToIntFunction<T> slot, Function<List<T>, List<ByteBuffer>> encode) {
    Map<BatchLogWriter, List<T>> byGroup = byGroup(leases, slot);
    boolean takes = byGroup.keySet().stream().allMatch(BatchLogWriter::takesLeases);
    if (takes) {
      byGroup.forEach((writer, some) -> writer.stageHandover(encode.apply(some)));
    }
    return takes;
  }
}
