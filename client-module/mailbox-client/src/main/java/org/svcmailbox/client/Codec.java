package org.svcmailbox.client;

/**
 * Turns bodies into bytes and back. Implementations are thread-safe and keep neither the bodies nor
 * the arrays.
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
   * @throws SerializationException if the bytes are not those of a body
   */
  T decode(byte[] bytes);
}
