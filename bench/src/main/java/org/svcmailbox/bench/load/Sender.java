package org.svcmailbox.bench.load;

import java.io.IOException;

/** A client that sends to one queue. One thread. */
public interface Sender extends AutoCloseable {
  /** Sends messages in one request or transaction and returns once they are accepted. */
  void send(int messages) throws Exception;

  @Override
  void close() throws IOException;

  interface Factory<S extends Sender> {
    /**
     * Connects a sender.
     *
     * @param number counts from 0, unique in a load
     */
    S open(int number) throws Exception;
  }
}
