package org.svcmailbox.ejb.broker;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.ForeignBatchLogs;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.pair.BrokerMark;
import org.svcmailbox.ejb.pair.PairException;
import org.svcmailbox.ejb.pair.PairId;

/**
 * The mark of a pair in Artemis: an empty queue whose name has the pair's id. Queues are in the
 * broker's own journal, so the mark goes wherever the messages go.
 */
public final class ArtemisMark implements BrokerMark, AutoCloseable {
  private final BrokerConnections connections;
  private final BrokerAdmin admin;

  public ArtemisMark(BrokerAccess access) {
    connections = new BrokerConnections(access);
    admin = new BrokerAdmin(connections);
  }

  /**
   * {@inheritDoc}
   *
   * @throws PairException when queues named like workers' batch logs are not this service's
   */
  @Override
  public Content read() {
    requireOwnLogs();
    List<String> queues = admin.queues().names().stream().map(SimpleString::toString).toList();
    Set<PairId> ids =
        queues.stream()
            .map(QueueNames::pairOf)
            .flatMap(Optional::stream)
            .map(PairId::new)
            .collect(Collectors.toSet());
    return new Content(
        ids, queues.stream().anyMatch(queue -> QueueNames.workerOf(queue).isPresent()));
  }

  private void requireOwnLogs() {
    List<String> foreign = new ForeignBatchLogs(admin).find();
    if (!foreign.isEmpty()) {
      throw new PairException(
          "The broker has queues with the names of workers' logs, but not as this service makes"
              + " them: "
              + String.join(", ", foreign)
              + ". "
              + ForeignBatchLogs.WAY_OUT
              + " Nothing was changed.");
    }
  }

  @Override
  public void add(PairId id) {
    admin.queues().create(queue(id));
  }

  @Override
  public void remove(PairId id) {
    admin.queues().delete(queue(id));
  }

  private static SimpleString queue(PairId id) {
    return QueueNames.pair(id.text());
  }

  @Override
  public void close() {
    admin.close();
    connections.close();
  }
}
