package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.letters.UndeliverableSorter;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.BrokerState;
import org.svcmailbox.ejb.link.Connection;

/**
 * An embedded broker and the adapter on it, with a way past the adapter for what it must not do.
 */
public final class ArtemisFixture implements AutoCloseable {
  /** How long dead letters of the topic are kept that tests use, and those of all others. */
  public static final Duration RETENTION = Duration.ofDays(14);

  public static final Duration OTHERS_RETENTION = Duration.ofDays(3);

  private static final Topic UNSORTED =
      new Topic(
          2,
          TopicDirectory.UNSORTED,
          TopicState.fresh(TopicOverrides.NONE, 1),
          BrokerContract.ORDERS.settings());

  /** How the adapter gets to the broker. */
  public enum Way {
    /** As from another process: through the client over TCP, and nothing is looked up inside. */
    CLIENT,
    /** Sessions straight into the broker of this process; all else through the client. */
    DIRECT
  }

  private final Brokers lender;
  private final Way way;
  private EmbeddedArtemis artemis;
  private UndeliverableSorter.Lives lives =
      new UndeliverableSorter.Lives(
          shard -> Instant.EPOCH, topic -> Duration.ofDays(7), /* started= */ Instant.EPOCH);
  private ArtemisBroker broker;
  private final QueueView view = new QueueView(() -> access(artemis(), Way.CLIENT));

  ArtemisFixture(Brokers lender, EmbeddedArtemis artemis, Way way) {
    this.lender = lender;
    this.way = way;
    this.artemis = artemis;
    this.broker = adapter(way);
  }

  /** Another adapter on the same broker. */
  ArtemisBroker adapter(Way another) {
    return adapter(another, InstantSource.system(), false);
  }

  private ArtemisBroker adapter(Way another, InstantSource ours, boolean amnesia) {
    return new ArtemisBroker(
        access(artemis, another), ours, InstantSource.system(), ArtemisFixture::retention, amnesia);
  }

  /** An adapter on a broker that a test keeps itself. */
  static ArtemisBroker adapter(BrokerAccess access) {
    return new ArtemisBroker(
        access, InstantSource.system(), InstantSource.system(), ArtemisFixture::retention, false);
  }

  private static Duration retention(TopicName topic) {
    return topic.equals(BrokerContract.ORDERS.name()) ? RETENTION : OTHERS_RETENTION;
  }

  static BrokerAccess access(EmbeddedArtemis artemis, Way way) {
    return way == Way.DIRECT
        ? new BrokerAccess(artemis.locator(), artemis::server)
        : new BrokerAccess(
            artemis.remoteLocator(), EmbeddedArtemis::login, () -> null, new BrokerState());
  }

  public ArtemisBroker broker() {
    return broker;
  }

  /** The same adapter for a service that keeps nothing. */
  ArtemisBroker amnesiac() {
    broker.close();
    broker = adapter(way, InstantSource.system(), true);
    return broker;
  }

  /** The same adapter with a clock of its own; the broker goes by the system's. */
  public ArtemisBroker withClock(InstantSource ours) {
    broker.close();
    broker = adapter(way, ours, false);
    return broker;
  }

  public EmbeddedArtemis artemis() {
    return artemis;
  }

  /** Has sorters take messages from before {@code session} as perhaps held. */
  public void sessionSince(Instant session) {
    lives =
        new UndeliverableSorter.Lives(
            shard -> session, topic -> Duration.ofDays(7), /* started= */ Instant.EPOCH);
  }

  public UndeliverableSorter.Lives lives() {
    return lives;
  }

  /** A sorter of the adapter's, which makes the topic of what has none. */
  public UndeliverableSorter sorter() {
    return sorter(() -> {});
  }

  /** The same, and {@code then} runs once the topic is made. */
  public UndeliverableSorter sorter(Runnable then) {
    return broker.undeliverableSorter(
        () -> {
          broker.createQueues(UNSORTED);
          then.run();
        },
        lives);
  }

  public ArtemisBroker crash() {
    return crash(files -> {});
  }

  ArtemisBroker crash(Consumer<Path> meanwhile) {
    EmbeddedArtemis next = artemis.crash(meanwhile);
    broker.close();
    artemis = next;
    broker = adapter(way);
    return broker;
  }

  public ArtemisBroker restart() {
    broker.close();
    artemis = artemis.restart();
    broker = adapter(way);
    return broker;
  }

  /** A topic's dead letters, browsed. */
  public List<ObservedLetter> deadLetters(TopicName topic) {
    return view.deadLetters(topic);
  }

  /** The dead letters of one queue. */
  public List<ObservedLetter> deadLettersOf(TopicName topic, int segment) {
    return view.deadLettersOf(topic, segment);
  }

  /** Everything in a queue that is not delivering, left where it is. */
  public List<Received> browse(SimpleString queue) {
    return view.browse(queue);
  }

  /** The scheduled messages of a queue. */
  List<Message> scheduled(SimpleString queue) {
    return artemis.server().locateQueue(queue).getScheduledMessages().stream()
        .map(MessageReference::getMessage)
        .toList();
  }

  /** Sends something that is no message of this service. */
  public void plant(SimpleString queue, int count) {
    view.plant(queue, count);
  }

  /** Has the first message of a queue delivered so often, each time to a transaction that fails. */
  public void failDeliveries(SimpleString queue, int times) {
    for (int i = 0; i < times; i++) {
      try (BrokerConnections connections = view.connections();
          Connection connection = connections.open(true)) {
        ClientMessage message = connection.session().createConsumer(queue).receive(10_000);
        message.individualAcknowledge();
        connection.session().rollback();
      } catch (ActiveMQException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * Has the session of worker 0 commit while the journal keeps the broker waiting, and lose its
   * connection meanwhile.
   *
   * @return lets the journal go on
   */
  Runnable commitLate(BrokerSession session) {
    return commitLate(QueueNames.log(WorkerId.of(0)), session::commit);
  }

  /** The same of the session that receives from a queue. */
  public Runnable commitLate(SimpleString queue, Runnable commit) {
    InsideBroker.LateCommit late = inside().holdCommit(queue);
    CompletableFuture<Void> committing = CompletableFuture.runAsync(commit);
    late.loseConnection();
    assertLost(committing);
    return late::goOn;
  }

  /** The commit failed as one does whose outcome nobody knows. */
  static void assertLost(CompletableFuture<Void> committing) {
    CompletionException failed = assertThrows(CompletionException.class, committing::join);
    assertInstanceOf(UnavailableException.class, failed.getCause());
  }

  /** Closes the consumer of a queue, and does not tell the session that it is of. */
  void takeFromConsumer(SimpleString queue) {
    inside().takeFromConsumer(queue);
  }

  /** Ends the session that receives from a queue, and leaves its connection alone. */
  void endQuietly(SimpleString queue) {
    inside().endQuietly(queue);
  }

  /** Fails the connection of the session that receives from a queue. */
  public void loseConnection(SimpleString queue) {
    inside().loseConnection(queue);
  }

  private InsideBroker inside() {
    return new InsideBroker(artemis.server());
  }

  /** How many messages a queue holds. */
  public long count(SimpleString queue) {
    return view.count(queue);
  }

  /** Runs {@code work} in a session that commits each step by itself. */
  public void inSession(QueueView.Work work) {
    view.inSession(work);
  }

  public static void passUntil(Instant moment) {
    for (Instant now = Instant.now(); now.isBefore(moment); now = Instant.now()) {
      LockSupport.parkNanos(Duration.between(now, moment).toNanos());
    }
  }

  @Override
  public void close() {
    broker.close();
    lender.giveBack(artemis);
  }
}
