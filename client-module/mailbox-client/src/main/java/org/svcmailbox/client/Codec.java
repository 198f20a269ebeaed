package org.svcmailbox.client;

/**
 * Converts bodies to bytes and back. Implementations are thread-safe and keep no reference to
 * bodies or arrays.
 *
 * @param <T> the bodies
 */
public interface Codec<T> {
  /**
   * Encodes a body.
   *
   * @throws SerializationException if the body cannot be encoded
   */
  byte[] encode(T body);

  /**
   * Decodes a body.
   *
   * @throws SerializationException if the bytes do not encode a body
   */
  T decode(byte[] bytes);
}
