package org.svcmailbox.client.loop;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Message;

/**
 * An application's work on one message. It must tolerate receiving a message twice, and should
 * return soon after its thread is interrupted.
 *
 * @param <T> the body
 * @param <R> the body of the reply
 */
@FunctionalInterface
public interface MessageHandler<T, R> {
  /**
   * Handles a message. It may reply, and may finalize the message itself.
   *
   * @return the reply, sent if the message asks for one; null for none
   * @throws Exception if the message should be delivered again later
   */
  @Nullable R handle(Message<T, R> message) throws Exception;
}
