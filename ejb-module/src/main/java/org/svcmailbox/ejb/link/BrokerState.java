package org.svcmailbox.ejb.link;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.core.client.impl.ClientSessionFactoryInternal;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.supervision.OutageReasons;

/**
 * The state of all connections to the broker, and of the questions waiting for it. It logs each
 * problem once, and its end. Any thread; only {@link #asking} may block.
 */
public final class BrokerState implements MetricSource {
  /**
   * A question that takes longer means that the broker is silent. It is a little shorter than
   * workers' callers wait, so that the broker no longer seems to answer when they are refused.
   */
  static final Duration PATIENCE = Duration.ofMillis(1_900);

  private static final Logger LOG = System.getLogger(BrokerState.class.getName());

  private final Set<ClientSessionFactory> connections = ConcurrentHashMap.newKeySet();
  private final Map<Object, Long> asked = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong failovers = new AtomicLong();
  private volatile boolean unanswered;
  private volatile long answeredAt;
  private volatile @Nullable String place;

  /** Since the broker last served; threads may fail for several in turn. */
  private final OutageReasons reasons = new OutageReasons();

  public BrokerState() {
    this(System::nanoTime);
  }

  BrokerState(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.answeredAt = nanoTime.getAsLong();
  }

  /** Records a new connection; {@code where} is its broker. */
  void opened(ClientSessionFactory connection, String where) {
    connections.removeIf(ClientSessionFactory::isClosed);
    connections.add(connection);
    // Listeners of the connection itself do not learn that its socket was reset.
    ((ClientSessionFactoryInternal) connection)
        .addFailureListener(new LossListener(why -> lost(connection, where, why)));
    moved(where);
  }

  private void lost(ClientSessionFactory connection, String where, ActiveMQException why) {
    connections.remove(connection);
    lost.incrementAndGet();
    failed(
        "A connection to the broker %s was lost (%s). Calls get 503 until it serves again"
            .formatted(where, why.getType()));
  }

  /** A question to the broker; may block. */
  @FunctionalInterface
  public interface Question<T extends @Nullable Object, E extends Exception> {
    T ask() throws E;
  }

  /** Asks the broker, which counts as silent after {@link #PATIENCE}. */
  public <T extends @Nullable Object, E extends Exception> T asking(Question<T, E> question)
      throws E {
    Object mine = new Object();
    long since = nanoTime.getAsLong();
    asked.put(mine, since);
    boolean answered = false;
    try {
      T answer = question.ask();
      answered = true;
      return answer;
    } finally {
      asked.remove(mine);
      ended(answered, since);
    }
  }

  /** A failure within that time does not tell whether the broker is silent. */
  private void ended(boolean answered, long since) {
    if (answered) {
      answeredAt = nanoTime.getAsLong();
    }
    if (answered || isTooLong(since)) {
      unanswered = !answered;
    }
  }

  private boolean isTooLong(long since) {
    return nanoTime.getAsLong() - since >= PATIENCE.toNanos();
  }

  /**
   * Whether a question has waited too long and no other was answered meanwhile, or one failed after
   * such a wait and none was answered since.
   */
  public boolean isSilent() {
    return unanswered
        || (isTooLong(answeredAt) && asked.values().stream().anyMatch(this::isTooLong));
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

  /** Records a new session. */
  synchronized void served() {
    if (reasons.end()) {
      LOG.log(Level.INFO, "The broker serves again");
    }
  }

  /**
   * Records a lost connection or a failed attempt to get one; {@code why} is a line for the log.
   */
  synchronized void failed(String why) {
    if (reasons.add(why)) {
      LOG.log(Level.ERROR, why);
    }
  }

  /** Does not ask the connections, because a lost one would reconnect on the calling thread. */
  private boolean isConnected() {
    return connections.stream().anyMatch(connection -> !connection.isClosed()) && !isSilent();
  }

  /** The broker that answers, as {@code host:port} for one over the network; null if none does. */
  public @Nullable String serving() {
    String last = place;
    return last != null && isConnected() ? last.replaceFirst("^at ", "") : null;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Family.BROKER_CONNECTED.of(() -> isConnected() ? 1 : 0),
        Family.BROKER_CONNECTIONS_LOST_TOTAL.of(lost::get),
        Family.BROKER_FAILOVERS_TOTAL.of(failovers::get));
  }
}
