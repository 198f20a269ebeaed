package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.codec.UnreadableMessageException;
import org.svcmailbox.ejb.letters.UndeliverableSorter;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.BrokerState;
import org.svcmailbox.ejb.link.Connection;
import org.svcmailbox.test.concurrent.Deadline;

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
    return IntStream.iterate(0, segment -> segment + 1)
        .mapToObj(segment -> QueueNames.deadLetters(topic, segment))
        .takeWhile(artemis::hasQueue)
        .flatMap(queue -> browse(queue).stream())
        .map(ArtemisFixture::deadLetter)
        .toList();
  }

  /** The dead letters of one queue. */
  public List<ObservedLetter> deadLettersOf(TopicName topic, int segment) {
    return browse(QueueNames.deadLetters(topic, segment)).stream()
        .map(ArtemisFixture::deadLetter)
        .toList();
  }

  private static ObservedLetter deadLetter(Received received) {
    ICoreMessage message = received.message();
    String reason = message.getStringProperty(MessageCodec.REASON);
    Quarantine why =
        new Quarantine(
            DeadLetterReason.valueOf(reason.toUpperCase(Locale.ROOT)),
            message.getIntProperty(MessageCodec.ATTEMPT),
            message.getStringProperty(MessageCodec.LAST_ERROR));
    Instant expiresAt = Instant.ofEpochMilli(message.getExpiration());
    return new ObservedLetter(readable(received), why, expiresAt);
  }

  private static @Nullable StoredMessage readable(Received received) {
    try {
      return MessageCodec.decode(received);
    } catch (UnreadableMessageException e) {
      return null;
    }
  }

  /**
   * Everything in a queue that is not delivering, left where it is. While the broker pages, it ends
   * a browse early or shows a message twice at times, and is asked again.
   */
  public List<Received> browse(SimpleString queue) {
    List<Received> found = browseOnce(queue);
    Instant deadline = Instant.now().plusSeconds(20);
    while (found.size() != count(queue) && Instant.now().isBefore(deadline)) {
      found = browseOnce(queue);
    }
    return found;
  }

  private List<Received> browseOnce(SimpleString queue) {
    List<Received> found = new ArrayList<>();
    inSession(
        session -> {
          try (ClientConsumer browser = session.createConsumer(queue, null, -1, -1, true)) {
            for (ClientMessage next = browser.receiveImmediate();
                next != null;
                next = browser.receiveImmediate()) {
              found.add(Received.of(next));
            }
          }
        });
    return found;
  }

  /** The scheduled messages of a queue. */
  List<Message> scheduled(SimpleString queue) {
    return artemis.server().locateQueue(queue).getScheduledMessages().stream()
        .map(MessageReference::getMessage)
        .toList();
  }

  /** Sends something that is no message of this service. */
  public void plant(SimpleString queue, int count) {
    inSession(
        session -> {
          try (ClientProducer producer = session.createProducer(queue)) {
            for (int i = 0; i < count; i++) {
              ClientMessage garbage = session.createMessage(true);
              garbage.putStringProperty("someone", "else");
              garbage.getBodyBuffer().writeBytes("garbage".getBytes(StandardCharsets.UTF_8));
              producer.send(garbage);
            }
          }
        });
  }

  /** Has the first message of a queue delivered so often, each time to a transaction that fails. */
  public void failDeliveries(SimpleString queue, int times) {
    for (int i = 0; i < times; i++) {
      try (BrokerConnections connections = connections();
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
    return commitLate(QueueNames.log(0), session::commit);
  }

  /** The same of the session that receives from a queue. */
  public Runnable commitLate(SimpleString queue, Runnable commit) {
    ServerSession inside = receiverOf(queue);
    Transaction staged = inside.getCurrentTransaction();
    OperationContext journal = inside.getSessionContext();
    journal.storeLineUp();
    CompletableFuture<Void> committing = CompletableFuture.runAsync(commit);
    Deadline.in(BrokerContract.PATIENCE)
        .await(() -> inside.getCurrentTransaction() != staged, () -> "the commit to begin");
    inside.getRemotingConnection().fail(new ActiveMQException("lost"));
    CompletionException failed = assertThrows(CompletionException.class, committing::join);
    assertInstanceOf(UnavailableException.class, failed.getCause());
    AtomicBoolean waiting = new AtomicBoolean(true);
    return () -> {
      if (waiting.getAndSet(false)) {
        journal.done();
      }
    };
  }

  /** Closes the consumer of a queue, and does not tell the session that it is of. */
  void takeFromConsumer(SimpleString queue) {
    try {
      receivers(queue).findFirst().orElseThrow().close(false);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private ServerSession receiverOf(SimpleString queue) {
    String session = receivers(queue).findFirst().orElseThrow().getSessionID();
    return artemis.server().getSessionByID(session);
  }

  private Stream<ServerConsumer> receivers(SimpleString queue) {
    return artemis.server().getSessions().stream()
        .flatMap(session -> session.getServerConsumers().stream())
        .filter(consumer -> !consumer.isBrowseOnly())
        .filter(consumer -> consumer.getQueue().getName().equals(queue));
  }

  /** How many messages a queue holds. */
  public long count(SimpleString queue) {
    try (BrokerConnections connections = connections();
        Connection connection = connections.open(false)) {
      return connection.session().queueQuery(queue).getMessageCount();
    } catch (ActiveMQException e) {
      throw new IllegalStateException(e);
    }
  }

  private BrokerConnections connections() {
    return new BrokerConnections(access(artemis, Way.CLIENT));
  }

  public interface Work {
    void in(ClientSession session) throws ActiveMQException;
  }

  /** Runs {@code work} in a session that commits each step by itself. */
  public void inSession(Work work) {
    try (BrokerConnections connections = connections();
        Connection connection = connections.open(false)) {
      work.in(connection.session());
    } catch (ActiveMQException e) {
      throw new IllegalStateException(e);
    }
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
