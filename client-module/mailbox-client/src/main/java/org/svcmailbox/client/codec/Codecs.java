package org.svcmailbox.client.codec;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Codec;

/** The codecs that come with the client. */
public final class Codecs {
  /**
   * Turns a body into bytes.
   *
   * @param <T> the bodies
   */
  @FunctionalInterface
  public interface Encoder<T> {
    /**
     * Encodes a body.
     *
     * @throws Exception if it cannot be encoded
     */
    byte[] encode(T body) throws Exception;
  }

  /**
   * Turns bytes into a body.
   *
   * @param <T> the bodies
   */
  @FunctionalInterface
  public interface Decoder<T> {
    /**
     * Decodes a body; null is none.
     *
     * @throws Exception if the bytes are not those of a body
     */
    @Nullable T decode(byte[] bytes) throws Exception;
  }

  private Codecs() {}

  /**
   * JSON in UTF-8, as {@link #json(Type)}.
   *
   * @param <T> the bodies
   */
  public static <T> Codec<T> json(Class<T> type) {
    return json((Type) type);
  }

  /**
   * JSON in UTF-8, by Jackson. Dates and durations are ISO 8601 text. Fields that the type does not
   * have are ignored, so a sender may add some. Class names in the JSON mean nothing (default
   * typing is off). {@code null} is no body, and {@code Void} has {@link #none}.
   *
   * @param <T> the bodies; must be the type that {@code type} describes
   */
  @SuppressWarnings("unchecked")
  public static <T> Codec<T> json(Type type) {
    return type == Void.class ? (Codec<T>) none() : new JsonCodec<>(type);
  }

  /**
   * For a mailbox without replies: one that is sent or received is a {@code
   * SerializationException}.
   */
  public static Codec<Void> none() {
    return NoBodyCodec.INSTANCE;
  }

  /**
   * A codec of two thread-safe functions, such as those of your own JSON mapper:
   *
   * <pre>{@code
   * Codecs.of(mapper::writeValueAsBytes, bytes -> mapper.readValue(bytes, Order.class))
   * }</pre>
   *
   * An exception out of them becomes a {@code SerializationException}. Never enable the default
   * typing of a Jackson mapper: it lets a sender choose which classes are made.
   *
   * @param <T> the bodies
   */
  public static <T> Codec<T> of(Encoder<T> encoder, Decoder<T> decoder) {
    return new FunctionCodec<>(
        requireNonNull(encoder, "encoder"), requireNonNull(decoder, "decoder"));
  }

  /** Bytes as they are. */
  public static Codec<byte[]> bytes() {
    return BytesCodec.INSTANCE;
  }

  /** Text in UTF-8. Refuses text, and bytes, that are not well-formed. */
  public static Codec<String> utf8() {
    return Utf8Codec.INSTANCE;
  }

  /**
   * No encoding: the receiver gets the very object that was sent. Only for mailboxes in memory;
   * others refuse it when they are opened. The object must be immutable or given up by its sender.
   *
   * @param <T> the bodies
   */
  @SuppressWarnings("unchecked") // It has no use for the type.
  public static <T> Codec<T> reference() {
    return (Codec<T>) ReferenceCodec.INSTANCE;
  }
}
