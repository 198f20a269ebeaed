package org.svcmailbox.it.drill;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.Message;

/** An open stream of messages of one of the doors. One thread. */
interface DoorStream extends AutoCloseable {
  /**
   * The next message; empty when none came for a while.
   *
   * @throws IOException when the stream has ended, in whatever way
   */
  Optional<Message> next() throws IOException;

  /** How to go on after the last message. */
  Map<String, Object> resume();

  void ack(List<Message> messages);

  void nack(Message message, Fields how);

  void extend(Message message, Duration visibility);

  /** Breaks the connection of the stream. */
  @Override
  void close() throws IOException;

  /** A door that opens streams. */
  interface Door {
    /**
     * Opens a stream and returns when the server has.
     *
     * @param resume of the stream that it continues; empty for none
     * @throws IOException when it does not open
     */
    DoorStream open(String topic, Duration visibility, int window, Map<String, Object> resume)
        throws IOException;
  }
}
