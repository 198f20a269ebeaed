package org.svcmailbox.ejb.link;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.activemq.artemis.api.core.ActiveMQDisconnectedException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInternalErrorException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.ejb.link.BrokerAccess.Login;

/**
 * The way straight into the broker of this process: what its own packet handler would do with each
 * message on threads of its own, the worker does itself.
 *
 * <p>Artemis' requirements for this, on which the class relies:
 *
 * <ul>
 *   <li>The broker's end of a real in-VM connection is under the session. It says who we are, and
 *       when it ends, however that comes about, the broker ends the session.
 *   <li>While a thread is inside the broker, the session's {@link OperationContext} is that
 *       thread's (a thread-local). It counts what was handed to the journal and the page files and
 *       has not yet been synced.
 *   <li>{@code session.commit()} only hands the commit over. The wait is for a {@link Completion}
 *       put behind everything the context has counted until then; an error of any of it ends the
 *       wait too. It is also behind the steps that make the messages visible and the acknowledged
 *       ones vanish.
 *   <li>Nothing is locked while we wait. The broker's threads complete the wait, or {@link #lost}
 *       does.
 * </ul>
 */
final class DirectLink implements BrokerLink {
  private static final Logger LOG = System.getLogger(DirectLink.class.getName());

  /** Credits are ours to count, in {@link DirectShardConsumer}. */
  private static final int NO_LIMIT = -1;

  private final ActiveMQServer server;
  private final ClientSessionFactory connection;
  private final long patienceMillis;
  private final StorageManager storage;
  private final OperationContext context;
  private final ServerSession session;
  private volatile Runnable listener = () -> {};
  private volatile @Nullable Completion underWay;
  private volatile boolean lost;
  private volatile boolean closing;
  private long consumers;

  /** A wait for the disk timed out; closing must not repeat it. */
  private boolean gaveUp;

  /**
   * A link on a connection that is its own from now on.
   *
   * @param other the broker's end of {@code connection}
   */
  DirectLink(
      ActiveMQServer server,
      RemotingConnection other,
      ClientSessionFactory connection,
      BrokerAccess access)
      throws Exception {
    this.server = server;
    this.connection = connection;
    patienceMillis = access.locator().getCallTimeout();
    storage = server.getStorageManager();
    context = server.newOperationContext();
    session = inContext(() -> open(server, other, access));
    other.addCloseListener(this::lost);
    session.start();
  }

  /** As the broker itself opens a session for a client on that connection. */
  private ServerSession open(ActiveMQServer server, RemotingConnection other, BrokerAccess access)
      throws Exception {
    Login login = login(access, other);
    return server.createSession(
        UUID.randomUUID().toString(),
        login.user(),
        login.password(),
        BrokerConnections.LARGE_BYTES,
        other,
        false,
        false,
        false,
        false,
        null,
        new DirectCallback(this::lost),
        false,
        context,
        Map.of(),
        null,
        null,
        false);
  }

  @Override
  public long countMessages(SimpleString queue) {
    Queue found = server.locateQueue(queue);
    return found == null ? 0 : found.getMessageCount();
  }

  @Override
  public boolean hasQueue(SimpleString queue) {
    return server.locateQueue(queue) != null;
  }

  @Override
  public void send(SimpleString queue, CoreMessage message) {
    message.setAddress(queue);
    stage(() -> session.send(message, false, null, true));
  }

  /** Stages the end of one message that {@code consumer} received. */
  void acknowledge(ServerConsumer consumer, long messageId) {
    stage(() -> session.individualAcknowledge(consumer.getID(), messageId));
  }

  private void stage(Step step) {
    try {
      perform(step);
    } catch (ActiveMQException e) {
      session.markTXFailed(e);
    }
  }

  @Override
  public void commit() throws ActiveMQException {
    perform(this::handOver);
    awaitDisk();
  }

  /**
   * Ending a session rolls our transaction back, and may put an empty one in its place, both under
   * the session's monitor. Committing that one would lose ours unnoticed.
   */
  private void handOver() throws Exception {
    synchronized (session) {
      if (session.isClosed()) {
        throw gone();
      }
      session.commit();
    }
  }

  @Override
  public ShardConsumer consume(SimpleString queue, @Nullable SimpleString filter)
      throws ActiveMQException {
    long id = consumers++;
    return inContext(
        () -> {
          ServerConsumer opened = session.createConsumer(id, queue, filter, false, false, NO_LIMIT);
          DirectShardConsumer consumer = new DirectShardConsumer(this, opened);
          opened.setProtocolData(consumer);
          opened.promptDelivery();
          return consumer;
        });
  }

  /** Gives back everything of a consumer that was not acknowledged. */
  void close(ServerConsumer consumer) throws ActiveMQException {
    perform(() -> consumer.close(false));
    awaitDisk();
  }

  /** Returns when what was handed to the broker before is on disk and done. */
  private void awaitDisk() throws ActiveMQException {
    Completion disk = new Completion();
    context.executeOnCompletion(disk);
    await(disk);
  }

  /** Waits until something is done, but not for a broker that is gone. */
  void await(Completion completion) throws ActiveMQException {
    underWay = completion;
    if (lost) {
      completion.fail(gone());
    }
    try {
      completion.await(patienceMillis);
    } catch (ActiveMQException e) {
      gaveUp = true;
      throw e;
    }
  }

  private static ActiveMQException gone() {
    return new ActiveMQDisconnectedException("the broker ended the session");
  }

  @Override
  public void onLoss(Runnable told) {
    listener = told;
    if (lost) {
      told.run();
    }
  }

  /** On any thread, and more than once. */
  private void lost() {
    if (closing) {
      return;
    }
    lost = true;
    Completion waiting = underWay;
    if (waiting != null) {
      waiting.fail(gone());
    }
    listener.run();
  }

  @Override
  public void close() {
    end(false);
  }

  @Override
  public void fail() {
    end(true);
  }

  private void end(boolean failed) {
    closing = true;
    try {
      perform(() -> giveBack(failed));
      if (!gaveUp) {
        awaitDisk();
      }
    } catch (ActiveMQException | RuntimeException e) {
      LOG.log(Level.DEBUG, "the broker did not end a session in good order", e);
    }
    connection.close();
  }

  /**
   * Returns messages that were only fetched first, and at once. The session's own rollback would
   * treat them as failed like acknowledged ones, and delay them.
   *
   * @param failed whether the broker is to count it as a delivery, and so give up after too many
   */
  private void giveBack(boolean failed) throws Exception {
    try {
      for (ServerConsumer consumer : session.getServerConsumers()) {
        consumer.close(failed);
      }
    } finally {
      session.close(false);
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private void perform(Step step) throws ActiveMQException {
    inContext(
        () -> {
          step.run();
          return Boolean.TRUE;
        });
  }

  private <T> T inContext(Callable<T> step) throws ActiveMQException {
    storage.setContext(context);
    try {
      return step.call();
    } catch (ActiveMQException | ActiveMQInterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new ActiveMQInternalErrorException("the broker failed: " + e, e);
    } finally {
      storage.clearContext();
    }
  }

  private static Login login(BrokerAccess access, RemotingConnection connection) {
    Login given = access.login().get();
    var principal = connection.getTransportConnection().getDefaultActiveMQPrincipal();
    return given.user() == null && principal != null
        ? new Login(principal.getUserName(), principal.getPassword())
        : given;
  }
}
