package org.svcmailbox.ejb.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientSession.QueueQuery;
import org.svcmailbox.core.settings.ServiceSetting;

/**
 * Finds queues that are named like workers' batch logs but that this service did not make. A start
 * would wait for their entries.
 */
public final class ForeignBatchLogs {
  /** Help for the operator: such a queue may be a log that somebody has changed. */
  public static final String WAY_OUT =
      "Give a log of this service its settings back; remove a queue that is not this service's.";

  private static final int MOST_WORKERS = ServiceSetting.MOST_WORKERS;
  private static final Map<String, Predicate<QueueQuery>> FAULTS = faults();

  private final BrokerAdmin admin;

  public ForeignBatchLogs(BrokerAdmin admin) {
    this.admin = admin;
  }

  private static Map<String, Predicate<QueueQuery>> faults() {
    Map<String, Predicate<QueueQuery>> faults = new LinkedHashMap<>();
    faults.put("is not exclusive", queue -> !isOn(queue.isExclusive()));
    faults.put("is not anycast", queue -> queue.getRoutingType() != RoutingType.ANYCAST);
    faults.put("is not durable", queue -> !queue.isDurable() || queue.isTemporary());
    faults.put("is on another address", queue -> !queue.getName().equals(queue.getAddress()));
    faults.put("has a filter", queue -> queue.getFilterString() != null);
    faults.put("lets nobody consume", queue -> queue.getMaxConsumers() == 0);
    faults.put("drops entries", queue -> isOn(queue.isLastValue()) || queue.isPurgeOnNoConsumers());
    faults.put("hands out copies", queue -> isOn(queue.isNonDestructive()));
    return faults;
  }

  private static boolean isOn(Boolean flag) {
    return Boolean.TRUE.equals(flag);
  }

  /** The first fault of each such queue: {@code mailbox.log.7 is not exclusive}. */
  public List<String> find() {
    return admin.queues().names().stream()
        .filter(queue -> QueueNames.isLog(queue.toString()))
        .flatMap(queue -> fault(queue.toString()).map(why -> queue + " " + why).stream())
        .toList();
  }

  private Optional<String> fault(String name) {
    return isOfAWorker(name)
        ? fault(admin.queues().look(name))
        : Optional.of("has no number of a worker (0 to " + (MOST_WORKERS - 1) + ")");
  }

  private static boolean isOfAWorker(String name) {
    return QueueNames.workerOf(name)
        .filter(
            worker ->
                worker.number() < MOST_WORKERS && QueueNames.log(worker).toString().equals(name))
        .isPresent();
  }

  private static Optional<String> fault(QueueQuery queue) {
    return queue.isExists()
        ? FAULTS.entrySet().stream()
            .filter(fault -> fault.getValue().test(queue))
            .map(Map.Entry::getKey)
            .findFirst()
        : Optional.empty();
  }
}
