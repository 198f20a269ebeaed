package org.svcmailbox.ejb.link;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.core.client.impl.ClientSessionFactoryInternal;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;

/** All connections to the broker. Logs each trouble once, and its end. Any thread. */
public final class BrokerState implements MetricSource {
  private static final Logger LOG = System.getLogger(BrokerState.class.getName());

  private final Set<ClientSessionFactory> connections = ConcurrentHashMap.newKeySet();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong failovers = new AtomicLong();
  private @Nullable String place;
  private @Nullable String trouble;

  /** A connection came about; {@code where} is its broker. */
  void opened(ClientSessionFactory connection, String where) {
    connections.removeIf(BrokerState::isOver);
    connections.add(connection);
    // A connection's own listeners are not told when its socket is reset.
    ((ClientSessionFactoryInternal) connection)
        .addFailureListener(new LossListener(lost::incrementAndGet));
    moved(where);
  }

  private static boolean isOver(ClientSessionFactory connection) {
    return connection.isClosed() || connection.getConnection() == null;
  }

  private synchronized void moved(String where) {
    if (where.equals(place)) {
      return;
    }
    if (place != null) {
      failovers.incrementAndGet();
    }
    LOG.log(Level.INFO, "The broker answers {0}", where);
    place = where;
  }

  /** A session came about. */
  synchronized void served() {
    if (trouble != null) {
      LOG.log(Level.INFO, "The broker serves again");
    }
    trouble = null;
  }

  /** No connection or no session came about; {@code why} is a line for the log. */
  synchronized void failed(String why) {
    if (!why.equals(trouble)) {
      LOG.log(Level.ERROR, why);
    }
    trouble = why;
  }

  private long open() {
    return connections.stream().filter(connection -> !isOver(connection)).count();
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Family.BROKER_CONNECTED.of(() -> open() > 0 ? 1 : 0),
        Family.BROKER_CONNECTIONS_LOST_TOTAL.of(lost::get),
        Family.BROKER_FAILOVERS_TOTAL.of(failovers::get));
  }
}
