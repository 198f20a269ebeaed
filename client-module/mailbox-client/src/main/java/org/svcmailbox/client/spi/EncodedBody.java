package org.svcmailbox.client.spi;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.IntegrityException;
import org.svcmailbox.client.codec.Codecs;

/** A body on its way: bytes, or an object that stays in this process. Immutable. */
public final class EncodedBody {
  private final byte @Nullable [] bytes;
  private final @Nullable Object reference;
  private final @Nullable Check check;

  /** Whether bytes are those that were sent. Thread-safe. */
  @FunctionalInterface
  public interface Check {
    /** Why they are not; empty if they are. */
    Optional<IntegrityException> failure(byte[] bytes);
  }

  private EncodedBody(byte @Nullable [] bytes, @Nullable Object reference, @Nullable Check check) {
    this.bytes = bytes;
    this.reference = reference;
    this.check = check;
  }

  /** Bytes, which the caller gives up. */
  public static EncodedBody of(byte[] bytes) {
    return new EncodedBody(requireNonNull(bytes, "bytes"), null, null);
  }

  /**
   * Bytes that are checked before they are decoded, on the thread that asks for the body. The
   * caller gives them up.
   */
  public static EncodedBody checked(byte[] bytes, Check check) {
    return new EncodedBody(requireNonNull(bytes, "bytes"), null, requireNonNull(check, "check"));
  }

  /** Bytes that fail a check: decoding them throws {@code cause}. The caller gives them up. */
  public static EncodedBody altered(byte[] bytes, IntegrityException cause) {
    requireNonNull(cause, "cause");
    return checked(bytes, any -> Optional.of(cause));
  }

  static <T> EncodedBody encode(Codec<T> codec, T body) {
    return codec == Codecs.<T>reference()
        ? new EncodedBody(null, body, null)
        : of(codec.encode(body));
  }

  @SuppressWarnings("unchecked") // The mailbox that encoded the reference has the same type.
  <T> T decode(Codec<T> codec) {
    if (reference != null) {
      return (T) reference;
    }
    if (check != null) {
      Optional<IntegrityException> failure = check.failure(bytes());
      if (failure.isPresent()) {
        throw failure.get();
      }
    }
    return codec.decode(bytes());
  }

  /**
   * The bytes, which the caller must not change.
   *
   * @throws UnsupportedOperationException if this is an object
   */
  public byte[] bytes() {
    if (bytes == null) {
      throw new UnsupportedOperationException("a body that travels by reference has no bytes");
    }
    return bytes;
  }

  /** How many bytes there are; zero for an object. */
  public int size() {
    return bytes == null ? 0 : bytes.length;
  }

  /** Whether this is the same body: equal bytes, or equal objects. */
  public boolean isSameAs(EncodedBody other) {
    return reference != null
        ? reference.equals(other.reference)
        : other.reference == null && Arrays.equals(bytes, other.bytes);
  }
}
