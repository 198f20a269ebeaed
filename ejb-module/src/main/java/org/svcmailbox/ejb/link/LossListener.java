package org.svcmailbox.ejb.link;

import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;

/** Runs {@code lost} when a connection is lost. */
record LossListener(Runnable lost) implements SessionFailureListener {
  @Override
  public void connectionFailed(ActiveMQException exception, boolean failedOver) {
    lost.run();
  }

  @Override
  public void connectionFailed(
      ActiveMQException exception, boolean failedOver, String scaleDownTargetNodeId) {
    lost.run();
  }

  @Override
  public void beforeReconnect(ActiveMQException exception) {
    // Never called: these connections do not reconnect.
  }
}
