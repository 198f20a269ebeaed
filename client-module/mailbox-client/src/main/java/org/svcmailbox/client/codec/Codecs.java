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
     * Decodes a body; null means that the bytes contain none.
     *
     * @throws Exception if the bytes do not encode a body
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
   * JSON in UTF-8, by Jackson. Dates and durations are ISO 8601 text. Unknown fields are ignored,
   * so a sender may add fields. Class names in the JSON have no effect (default typing is off).
   * {@code null} is not a valid body; for {@code Void}, use {@link #none}.
   *
   * @param <T> the bodies; must be the type that {@code type} describes
   */
  @SuppressWarnings("unchecked")
  public static <T> Codec<T> json(Type type) {
    return type == Void.class ? (Codec<T>) none() : new JsonCodec<>(type);
  }

  /**
   * A codec for a mailbox without replies: sending or receiving a reply fails with {@code
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
   * An exception from them becomes a {@code SerializationException}. Never enable the default
   * typing of a Jackson mapper: it lets a sender choose the classes to instantiate.
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

  /** Text in UTF-8. Refuses malformed text and malformed bytes. */
  public static Codec<String> utf8() {
    return Utf8Codec.INSTANCE;
  }

  /**
   * No encoding: the receiver gets the sent object itself. Only mailboxes in memory accept it;
   * others refuse it when they are opened. The sender must not change the object after sending it.
   *
   * @param <T> the bodies
   */
  @SuppressWarnings("unchecked") // It has no use for the type.
  public static <T> Codec<T> reference() {
    return (Codec<T>) ReferenceCodec.INSTANCE;
  }
}
