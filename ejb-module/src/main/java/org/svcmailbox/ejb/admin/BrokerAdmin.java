package org.svcmailbox.ejb.admin;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.BrokerLinks;
import org.svcmailbox.ejb.link.BrokerTrouble;
import org.svcmailbox.ejb.link.Connection;

/**
 * Administration of the broker: its {@link #queues}, {@link #attributes} and {@link #scheduled}
 * messages. It uses one connection, opened on first use and after each failure, and asks one
 * question at a time. Any thread.
 */
public final class BrokerAdmin implements AutoCloseable {
  /**
   * How long a queue must count 0 messages to be considered empty. It is longer than the broker
   * keeps the session of a service that is gone.
   */
  public static final Duration EMPTY_FOR = Duration.ofSeconds(10);

  private static final String MANAGEMENT_ADDRESS = "activemq.management";
  private static final long PATIENCE_MILLIS = 10_000;

  interface Question<T> {
    T ask(ClientSession session) throws Exception;
  }

  interface Task {
    void run(ClientSession session) throws Exception;
  }

  /** How long an impatient caller waits for its turn. */
  private static final Duration SHORT_TURN = Duration.ofSeconds(2);

  /** A question that fails only after this time means that the broker is silent. */
  private static final long SILENCE_NANOS = Duration.ofSeconds(1).toNanos();

  private static final String SILENT = "the broker does not answer";

  private final BrokerConnections connections;
  private final Duration turnPatience;
  private final QueueAdmin queues = new QueueAdmin(this);
  private final ManagementAttributes attributes = new ManagementAttributes(this);
  private final ScheduledMessages scheduled = new ScheduledMessages(this);
  private final QueueSearch search = new QueueSearch(this);
  private final ReentrantLock turn = new ReentrantLock();
  private @Nullable Connection connection;
  private @Nullable ClientRequestor requestor;

  /** Whether the last question failed after {@link #SILENCE_NANOS} or more. */
  private volatile boolean away;

  public BrokerAdmin(BrokerConnections connections) {
    this(connections, Duration.ofDays(1));
  }

  private BrokerAdmin(BrokerConnections connections, Duration turnPatience) {
    this.connections = connections;
    this.turnPatience = turnPatience;
  }

  /**
   * An instance for questions that a caller waits for. While the broker is silent, nobody waits for
   * a turn: one caller asks, and the others are refused.
   */
  public static BrokerAdmin impatient(BrokerConnections connections) {
    return new BrokerAdmin(connections, SHORT_TURN);
  }

  public QueueAdmin queues() {
    return queues;
  }

  public ManagementAttributes attributes() {
    return attributes;
  }

  public ScheduledMessages scheduled() {
    return scheduled;
  }

  public QueueSearch search() {
    return search;
  }

  /** Throws {@link UnavailableException} unless the broker answers. */
  public void requireAnswer() {
    perform("answer", session -> session.queueQuery(QueueNames.UNDELIVERABLE));
  }

  /** Identifies the current connection; every new connection has another id. */
  public Object connectionId() {
    return ask("answer", session -> openConnection().factory().getConnection().getID());
  }

  /**
   * Looks at a queue directly; empty if the broker is in another process. Upkeep and starts look at
   * every queue that has messages, and a question to management passes through several threads. A
   * broker that can be looked at need not answer.
   *
   * @param look gets null if the queue is missing
   */
  <T> Optional<T> look(SimpleString queue, Function<@Nullable Queue, T> look) {
    return inTurn(
        () ->
            Optional.ofNullable(BrokerLinks.here(connections.access(), openConnection().factory()))
                .map(server -> look.apply(server.locateQueue(queue))));
  }

  /** Reads an attribute of a managed resource; for use within a question. */
  @Nullable Object attribute(String resource, String attribute) throws Exception {
    ClientMessage question = openSession().createMessage(false);
    ManagementHelper.putAttribute(question, resource, attribute);
    return answer(question);
  }

  /** Invokes an operation of a managed resource; for use within a question. */
  @Nullable Object manage(String resource, String operation, Object... arguments) throws Exception {
    ClientMessage question = openSession().createMessage(false);
    ManagementHelper.putOperationInvocation(question, resource, operation, arguments);
    return answer(question);
  }

  private @Nullable Object answer(ClientMessage question) throws Exception {
    ClientRequestor asking = requestor;
    if (asking == null) {
      asking = new ClientRequestor(openSession(), MANAGEMENT_ADDRESS);
      requestor = asking;
    }
    ClientMessage answer = asking.request(question, PATIENCE_MILLIS);
    if (answer == null) {
      throw new UnavailableException("the broker's management did not answer");
    }
    Object result = ManagementHelper.getResult(answer);
    if (!ManagementHelper.hasOperationSucceeded(answer)) {
      throw new UnavailableException("the broker's management refused: " + result);
    }
    return result;
  }

  private ClientSession openSession() {
    return openConnection().session();
  }

  private Connection openConnection() {
    Connection present = connection;
    if (present == null || present.session().isClosed()) {
      close();
      present = connections.open(false);
      connection = present;
    }
    return present;
  }

  void perform(String doing, Task task) {
    ask(
        doing,
        session -> {
          task.run(session);
          return Boolean.TRUE;
        });
  }

  <T> T ask(String doing, Question<T> question) {
    return inTurn(() -> connections.access().state().asking(() -> answer(doing, question)));
  }

  /** Asks a question that may take the broker long without being considered silent. */
  <T> T askForLong(String doing, Question<T> question) {
    return inTurn(() -> answer(doing, question));
  }

  private <T> T inTurn(Supplier<T> work) {
    awaitTurn();
    try {
      return work.get();
    } finally {
      turn.unlock();
    }
  }

  /** Refuses an impatient caller if another one's question was not answered meanwhile. */
  private void awaitTurn() {
    boolean mayWait = !turnPatience.equals(SHORT_TURN);
    boolean knownAway = away;
    Duration patience = knownAway && !mayWait ? Duration.ZERO : turnPatience;
    if (!hasTurn(patience)) {
      throw new UnavailableException(SILENT);
    }
    if (away && !knownAway && !mayWait) {
      turn.unlock();
      throw new UnavailableException(SILENT);
    }
  }

  private boolean hasTurn(Duration patience) {
    try {
      return turn.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while others asked the broker", e);
    }
  }

  private <T> T answer(String doing, Question<T> question) {
    long begun = System.nanoTime();
    boolean answered = false;
    try {
      T answer = question.ask(openSession());
      answered = true;
      return answer;
    } catch (UnavailableException e) {
      throw e;
    } catch (ActiveMQInterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while the broker was to " + doing, e);
    } catch (Exception e) {
      throw BrokerTrouble.unavailable("the broker failed to " + doing, e);
    } finally {
      away = !answered && System.nanoTime() - begun >= SILENCE_NANOS;
      if (!answered) {
        // No later question must get this one's late answer.
        close();
      }
    }
  }

  @Override
  public void close() {
    turn.lock();
    try {
      Connection present = connection;
      connection = null;
      requestor = null;
      if (present != null) {
        present.close();
      }
    } finally {
      turn.unlock();
    }
  }
}
