package org.svcmailbox.bench.client;

import java.io.IOException;
import org.svcmailbox.bench.load.QueueClient;

/** A client that sends, receives and acknowledges one message after another. One thread. */
abstract class RoundTrips implements QueueClient {
  /** Sends, receives and acknowledges one message. */
  abstract void once() throws Exception;

  @Override
  public final int receive(int most) throws Exception {
    for (int i = 0; i < most; i++) {
      once();
    }
    return most;
  }

  @Override
  public final void send(int messages) {
    throw new UnsupportedOperationException("receive sends too");
  }

  @Override
  public void close() throws IOException {}
}
