package org.svcmailbox.bench;

import java.io.IOException;

/** A client that sends a message, receives one and acknowledges it, over and over. One thread. */
abstract class RoundTrips implements Client {
  /** One message. */
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
    throw new UnsupportedOperationException("it receives what it sends");
  }

  @Override
  public void close() throws IOException {}
}
