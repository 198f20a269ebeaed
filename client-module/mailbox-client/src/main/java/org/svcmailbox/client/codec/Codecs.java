package org.svcmailbox.client.codec;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Type;
import org.svcmailbox.client.Codec;

/** The codecs that come with the client. */
public final class Codecs {
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
   * typing is off). {@code null} is no body.
   *
   * @param <T> the bodies; must be the type that {@code type} describes
   */
  public static <T> Codec<T> json(Type type) {
    return new JsonCodec<>(JsonCodec.MAPPER, type);
  }

  /**
   * JSON by a Jackson mapper of your own. Never enable its default typing: it lets a sender choose
   * which classes are made.
   *
   * @param <T> the bodies; must be the type that {@code type} describes
   */
  public static <T> Codec<T> json(Type type, ObjectMapper mapper) {
    return new JsonCodec<>(requireNonNull(mapper, "mapper"), type);
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
