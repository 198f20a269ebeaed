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

  /** Takes each group over as far as its log has arrived. Only between transactions. */
  public void takeOver() {
    writers.values().forEach(BatchLogWriter::awaitOutcomes);
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
    return requireNonNull(writers.get(context.slots().groupOf(slot)));
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
