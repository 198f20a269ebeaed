package org.svcmailbox.ejb.link;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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
 * A link directly into the broker of this process. The worker's thread does what the broker's
 * packet handler would do with each message on its own threads.
 *
 * <p>The class relies on these properties of Artemis:
 *
 * <ul>
 *   <li>The session runs on the broker's end of a real in-VM connection, which says who we are.
 *       However that connection ends, the broker then ends the session.
 *   <li>While a thread is inside the broker, the session's {@link OperationContext} is that
 *       thread's (a thread-local). It counts what was handed to the journal and the page files and
 *       has not yet been synced.
 *   <li>{@code session.commit()} only hands the commit over. The wait is for a {@link Completion}
 *       placed behind everything that the context has counted until then; an error in any of it
 *       ends the wait too. It is also behind the steps that make the messages visible and remove
 *       the acknowledged ones.
 *   <li>Nothing is locked during the wait. The broker's threads complete it, or {@link #lost} does.
 * </ul>
 */
final class DirectLink implements BrokerLink {
  private static final Logger LOG = System.getLogger(DirectLink.class.getName());

  /** {@link DirectShardConsumer} counts credits instead. */
  private static final int NO_LIMIT = -1;

  private final ActiveMQServer server;
  private final ClientSessionFactory connection;
  private final long patienceMillis;
  private final StorageManager storage;
  private final OperationContext context;
  private final ServerSession session;

  /** The queues that are released after all others. */
  private final Set<SimpleString> last = new HashSet<>();

  private volatile Runnable listener = () -> {};
  private volatile @Nullable Completion underWay;
  private volatile boolean lost;
  private volatile boolean closing;
  private long consumers;

  /** Whether a wait for the disk timed out, which closing must not repeat. */
  private boolean gaveUp;

  /**
   * Takes ownership of {@code connection}.
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

  /** Opens a session as the broker itself does for a client on that connection. */
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

  /** Stages the acknowledgement of one message that {@code consumer} received. */
  void acknowledge(ServerConsumer consumer, long messageId) {
    stage(() -> inSession(() -> session.individualAcknowledge(consumer.getID(), messageId)));
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
    perform(() -> inSession(session::commit));
    awaitDisk();
  }

  /** Looks at the session itself, because it is in this process. */
  @Override
  public void ask() throws ActiveMQException {
    perform(() -> inSession(() -> {}));
  }

  /**
   * Runs a step under the session's monitor. Under the same monitor, ending a session rolls our
   * transaction back and may put an empty one in its place. Committing that one would lose ours
   * unnoticed. A later acknowledgement would keep its message away until the broker restarts.
   */
  private void inSession(Step step) throws Exception {
    synchronized (session) {
      if (session.isClosed()) {
        throw gone();
      }
      step.run();
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

  @Override
  public ShardConsumer consumeLast(SimpleString queue) throws ActiveMQException {
    last.add(queue);
    return consume(queue);
  }

  /** Returns a consumer's unacknowledged messages. */
  void close(ServerConsumer consumer) throws ActiveMQException {
    perform(() -> consumer.close(false));
    awaitDisk();
  }

  /** Blocks until everything handed to the broker so far is on disk and done. */
  private void awaitDisk() throws ActiveMQException {
    Completion disk = new Completion();
    context.executeOnCompletion(disk);
    await(disk);
  }

  /** Waits for {@code completion}, but not for a broker that is gone. */
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

  /** Any thread, possibly more than once. */
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
   * Returns messages: first those only fetched, immediately. The session's own rollback would treat
   * them as failed, like acknowledged ones, and delay them. It returns the acknowledged ones before
   * the session releases {@link #last}, its only queues then.
   *
   * @param failed whether the broker counts this as a delivery, and so gives up after too many
   */
  private void giveBack(boolean failed) throws Exception {
    try {
      for (ServerConsumer consumer : session.getServerConsumers()) {
        if (!last.contains(consumer.getQueue().getName())) {
          consumer.close(failed);
        }
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
