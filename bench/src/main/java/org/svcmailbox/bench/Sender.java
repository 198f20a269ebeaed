package org.svcmailbox.bench;

import java.io.IOException;

/** Somebody who sends to one queue. One thread. */
interface Sender extends AutoCloseable {
  /** Sends so many messages in one request or transaction, and returns when they are promised. */
  void send(int messages) throws Exception;

  @Override
  void close() throws IOException;

  /** Makes them. */
  interface Factory<S extends Sender> {
    /**
     * Connects.
     *
     * @param number from zero, another one for each
     */
    S open(int number) throws Exception;
  }
}
