package org.svcmailbox.ejb.link;

import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;

/** Passes on why a connection was lost. */
record LossListener(Consumer<ActiveMQException> lost) implements SessionFailureListener {
  @Override
  public void connectionFailed(ActiveMQException exception, boolean failedOver) {
    lost.accept(exception);
  }

  @Override
  public void connectionFailed(
      ActiveMQException exception, boolean failedOver, String scaleDownTargetNodeId) {
    lost.accept(exception);
  }

  @Override
  public void beforeReconnect(ActiveMQException exception) {
    // Never called: these connections do not reconnect.
  }
}
