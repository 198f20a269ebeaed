package org.svcmailbox.ejb.link;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;

/** A session with a connection of its own. */
public record Connection(ClientSessionFactory factory, ClientSession session)
    implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Connection.class.getName());

  /** Closes both and never throws; what cannot be reported to the broker, the broker finds out. */
  @Override
  public void close() {
    try {
      session.close();
    } catch (ActiveMQException | RuntimeException e) {
      LOG.log(Level.DEBUG, "the broker was not told that a session ended", e);
    }
    factory.close();
  }
}
