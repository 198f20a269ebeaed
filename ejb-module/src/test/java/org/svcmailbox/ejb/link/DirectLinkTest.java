package org.svcmailbox.ejb.link;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.BrokerContract.FIRST;
import static org.svcmailbox.core.broker.BrokerContract.ORDERS;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.core.transaction.TransactionOperationAbstract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture;
import org.svcmailbox.ejb.broker.Brokers;
import org.svcmailbox.ejb.broker.EmbeddedArtemis;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.test.concurrent.Deadline;

/** When the broker of this process is called directly, and how it treats such a caller. */
@ExtendWith(Brokers.Lender.class)
final class DirectLinkTest {
  private static final int IO_ERROR = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Brokers brokers;
  private ArtemisFixture fixture;
  private BrokerSession session;

  /** The broker's end of the session. */
  private ServerSession inside;

  @BeforeEach
  void start(Brokers given) {
    brokers = given;
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
    fixture.broker().createQueues(ORDERS);
    Set<ServerSession> before = fixture.artemis().server().getSessions();
    session = SampleLog.open(fixture.broker(), 0);
    inside = newest(before);
  }

  private ServerSession newest(Set<ServerSession> before) {
    Set<ServerSession> now = new HashSet<>(fixture.artemis().server().getSessions());
    now.removeAll(before);
    assertEquals(1, now.size());
    return now.iterator().next();
  }

  @AfterEach
  void stop() {
    session.close();
    fixture.close();
  }

  @Test
  void theBrokerOfThisProcessIsSpokenToDirectly() {
    assertInstanceOf(DirectLink.class, opened(fixture.artemis()::server));
  }

  @Test
  void anyOtherBrokerIsSpokenToThroughTheClient() {
    assertInstanceOf(ClientLink.class, opened(() -> null));
    try (ArtemisFixture other = brokers.start(EmbeddedArtemis.Options.standard())) {
      assertInstanceOf(ClientLink.class, opened(other.artemis()::server));
    }
  }

  @Test
  void aBrokerWithOtherInnerPartsIsSpokenToThroughTheClient() {
    assertInstanceOf(
        ClientLink.class,
        opened(
            () -> {
              throw new NoSuchMethodError("a later version has it no more");
            }));
  }

  /**
   * The kind of link to the fixture's broker, when {@code inProcess} is the broker of this process.
   */
  private BrokerLink opened(Supplier<? extends @Nullable ActiveMQServer> inProcess) {
    try (BrokerConnections connections = new BrokerConnections(access(inProcess));
        BrokerLink link = new BrokerLinks(connections).open(QueueNames.of(FIRST))) {
      return link;
    }
  }

  private BrokerAccess access(Supplier<? extends @Nullable ActiveMQServer> inProcess) {
    return new BrokerAccess(fixture.artemis().locator(), inProcess);
  }

  @Test
  void aFailureOfTheJournalFailsTheCommit() {
    enqueue();
    inside.getSessionContext().onError(IO_ERROR, "the disk is gone");
    UnavailableException thrown = assertThrows(UnavailableException.class, session::commit);
    assertTrue(String.valueOf(thrown.getCause()).contains("the disk is gone"));
  }

  @Test
  void aCommitWaitsForEverythingThatIsUnderWay() throws Exception {
    enqueue();
    inside.getSessionContext().storeLineUp();
    CompletableFuture<Void> committing = CompletableFuture.runAsync(session::commit);
    assertThrows(TimeoutException.class, () -> committing.get(200, TimeUnit.MILLISECONDS));
    inside.getSessionContext().done();
    committing.get(10, TimeUnit.SECONDS);
  }

  /**
   * The broker rolls the session back while its worker is inside an acknowledgement. This broker
   * has no plugin that takes the message first.
   */
  @Test
  void anAcknowledgementThatARollbackOvertakesKeepsNoMessageBack() throws Exception {
    try (ArtemisFixture bare =
            brokers.start(EmbeddedArtemis.Options.standard().withMemory(400L * 1024 * 1024));
        BrokerConnections connections =
            new BrokerConnections(
                new BrokerAccess(bare.artemis().locator(), bare.artemis()::server))) {
      SimpleString queue = QueueNames.of(FIRST);
      bare.broker().createQueues(ORDERS);
      bare.plant(queue, 1);
      BrokerLink link = new BrokerLinks(connections).open(queue);
      Received held = requireNonNull(link.consume(queue).next(true));
      endWhileItAcknowledges(bare.artemis().server(), held);
      link.close();

      try (BrokerLink next = new BrokerLinks(connections).open(queue)) {
        ShardConsumer consumer = next.consume(queue);
        // The broker puts it back once its journal has the rollback.
        Deadline.in(PATIENCE).await(() -> hasNext(consumer), () -> "the message");
      }
    }
  }

  private static boolean hasNext(ShardConsumer consumer) {
    try {
      return consumer.next(true) != null;
    } catch (ActiveMQException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void endWhileItAcknowledges(ActiveMQServer broker, Received held)
      throws InterruptedException {
    ServerSession ending =
        broker.getSessions().stream()
            .filter(one -> consumers(one).findAny().isPresent())
            .findFirst()
            .orElseThrow();
    CountDownLatch rolledBack = new CountDownLatch(1);
    CountDownLatch acknowledged = new CountDownLatch(1);
    ending
        .getCurrentTransaction()
        .addOperation(
            new TransactionOperationAbstract() {
              @Override
              public void afterRollback(Transaction tx) {
                rolledBack.countDown();
                requireInTime(acknowledged);
              }
            });
    Thread worker =
        new Thread(
            () -> {
              stage(held);
              acknowledged.countDown();
            });
    Thread other =
        new Thread(() -> ending.getRemotingConnection().fail(new ActiveMQException("lost")));
    // An acknowledgement takes its message under this monitor, once it knows its transaction.
    synchronized (consumers(ending).findFirst().orElseThrow()) {
      worker.start();
      awaitState(worker, () -> false);
      other.start();
      awaitState(other, () -> rolledBack.getCount() == 0);
    }
    worker.join();
    other.join();
  }

  private static Stream<ServerConsumer> consumers(ServerSession session) {
    return session.getServerConsumers().stream()
        .filter(one -> one.getQueueName().equals(QueueNames.of(FIRST)));
  }

  private static void awaitState(Thread thread, BooleanSupplier otherwise) {
    Deadline.in(PATIENCE)
        .await(
            () -> thread.getState() == Thread.State.BLOCKED || otherwise.getAsBoolean(),
            () -> thread + " is " + thread.getState());
  }

  private static void requireInTime(CountDownLatch latch) {
    try {
      assertTrue(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void stage(Received held) {
    try {
      held.acknowledgement().stage();
    } catch (ActiveMQException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSessionThatGaveUpOnItsCommitEndsAtOnce() {
    ServerLocator locator = fixture.artemis().locator().setCallTimeout(PATIENCE.toMillis());
    Set<ServerSession> before = fixture.artemis().server().getSessions();
    try (BrokerConnections connections =
        new BrokerConnections(new BrokerAccess(locator, fixture.artemis()::server))) {
      BrokerLink link = new BrokerLinks(connections).open(QueueNames.of(FIRST));
      ServerSession slow = newest(before);
      slow.getSessionContext().storeLineUp();
      assertThrows(ActiveMQException.class, link::commit);
      assertTimeout(PATIENCE.dividedBy(2), link::close);
      slow.getSessionContext().done();
    }
  }

  @Test
  void aCommitDoesNotWaitForABrokerThatHasEndedTheConnection() {
    enqueue();
    inside.getSessionContext().storeLineUp();
    CompletableFuture<Void> committing = CompletableFuture.runAsync(session::commit);
    assertThrows(TimeoutException.class, () -> committing.get(200, TimeUnit.MILLISECONDS));
    inside.getRemotingConnection().fail(new ActiveMQException("gone"));
    ExecutionException thrown =
        assertThrows(ExecutionException.class, () -> committing.get(10, TimeUnit.SECONDS));
    assertInstanceOf(UnavailableException.class, thrown.getCause());
    inside.getSessionContext().done();
  }

  @Test
  void aSessionThatTheBrokerEndsIsLostAndItsWatchersAreTold() throws Exception {
    Semaphore told = new Semaphore(0);
    session.watch(FIRST, told::release);
    inside.close(true);
    assertTrue(told.tryAcquire(10, TimeUnit.SECONDS));
    assertThrows(UnavailableException.class, () -> session.fetch(FIRST, 1, false));
    assertThrows(UnavailableException.class, this::enqueue);
  }

  @Test
  void noPartOfATransactionIsCommittedWhenTheBrokerEndsTheSessionMeanwhile() throws Exception {
    SimpleString queue = QueueNames.of(FIRST);
    BrokerAccess access = access(fixture.artemis()::server);
    Set<ServerSession> before = fixture.artemis().server().getSessions();
    try (BrokerConnections connections = new BrokerConnections(access);
        BrokerLink link = new BrokerLinks(connections).open(queue)) {
      link.send(queue, MessageCodec.durable(Instant.now()));
      newest(before).close(false);
      link.send(queue, MessageCodec.durable(Instant.now()));
      assertThrows(ActiveMQException.class, link::commit);
    }
    assertEquals(0, fixture.count(queue));
  }

  @Test
  void nothingOfASessionIsLeftInTheBrokerWhenItIsClosed() {
    session.fetch(FIRST, 1, true);
    session.close();
    assertTrue(inside.isClosed());
    ActiveMQServer broker = fixture.artemis().server();
    assertFalse(broker.getSessions().contains(inside));
    assertEquals(0, broker.locateQueue(QueueNames.of(FIRST)).getConsumerCount());
  }

  private void enqueue() {
    session.enqueue(FIRST, SampleMessages.message(FIRST, 1, Instant.now()), null);
  }
}
