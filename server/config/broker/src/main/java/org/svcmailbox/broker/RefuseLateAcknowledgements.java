package org.svcmailbox.broker;

import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.core.transaction.impl.TransactionImpl;
import org.jspecify.annotations.Nullable;

/**
 * Takes away the messages that a failed session's consumers hold, before its transaction is rolled
 * back.
 *
 * <p>Artemis rolls back first and closes the consumers later. An acknowledgement that arrives in
 * between is staged in the transaction that has already ended, and nothing ends it again: the
 * message stays unavailable until the broker restarts. With this plugin, such an acknowledgement
 * finds no message and fails. See docs/adr/0059.
 */
public final class RefuseLateAcknowledgements implements ActiveMQServerPlugin {
  private @Nullable ActiveMQServer server;

  @Override
  public void registered(ActiveMQServer owner) {
    server = owner;
  }

  /**
   * Artemis holds the session's monitor, so no commit runs at the same time.
   *
   * <p>A rollback returns its messages when the thread's operation context has completed. That of a
   * thread which has worked for an ended broker, or met an error of the disk, never completes.
   */
  @Override
  public void beforeCloseSession(ServerSession session, boolean failed) {
    ActiveMQServer owner = server;
    if (!failed || owner == null) {
      return;
    }
    StorageManager storage = owner.getStorageManager();
    OperationContext caller = storage.getContext();
    storage.setContext(owner.newOperationContext());
    try {
      List<MessageReference> held = new ArrayList<>();
      for (ServerConsumer consumer : session.getServerConsumers()) {
        held.addAll(take(consumer));
      }
      // As Artemis does next, so that acknowledged messages return first and in order.
      Transaction current = session.getCurrentTransaction();
      if (current != null) {
        current.tryRollback();
      }
      returnAll(held, new TransactionImpl(storage));
    } finally {
      storage.setContext(caller);
    }
  }

  private static List<MessageReference> take(ServerConsumer consumer) {
    consumer.setStarted(false);
    // An acknowledgement holds this monitor from finding its message until that is staged.
    synchronized (consumer) {
      try {
        return consumer.cancelRefs(true, false, null);
      } catch (Exception e) {
        throw new IllegalStateException("the messages of a consumer cannot be taken", e);
      }
    }
  }

  private static void returnAll(List<MessageReference> held, Transaction transaction) {
    held.forEach(message -> message.getQueue().cancel(transaction, message, true));
    try {
      transaction.rollback();
    } catch (Exception e) {
      throw new IllegalStateException("the messages of a session cannot be returned", e);
    }
  }
}
