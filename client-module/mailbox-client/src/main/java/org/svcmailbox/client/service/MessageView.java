package org.svcmailbox.client.service;

/**
 * The view that a stream has of its messages.
 *
 * @param <M> a message with its receipt
 */
public interface MessageView<M> {
  /** The receipt of its delivery. */
  String receipt(M message);

  /** The bytes of its payload, about. */
  int bytes(M message);
}
