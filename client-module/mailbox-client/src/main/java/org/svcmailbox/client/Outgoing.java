package org.svcmailbox.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message to send, with its options. Immutable.
 *
 * <pre>{@code
 * orders.send(Outgoing.builder(order).key("order-17").replyTo(receipts).build());
 * }</pre>
 *
 * @param <T> the body
 * @param <R> the bodies of the replies that {@code replyTo} takes; {@code Object} without one
 */
public final class Outgoing<T, R> {
  /** The most characters of a key or a group. */
  public static final int MAX_KEY = 255;

  /** The most characters of a correlation id or an attribute's name. */
  public static final int MAX_NAME = 128;

  /** The most characters of an attribute's value. */
  public static final int MAX_VALUE = 1024;

  /** The prefix of reserved attribute names. */
  public static final String RESERVED = "mailbox.";

  private final T body;
  private final @Nullable Mailbox<? super R, ?> replyTo;
  private final @Nullable String key;
  private final @Nullable String group;
  private final Duration delay;
  private final Map<String, String> attributes;
  private final @Nullable String correlationId;
  private final @Nullable String inReplyTo;
  private final @Nullable String traceparent;
  private final @Nullable String tracestate;

  private Outgoing(Builder<T, R> from) {
    body = from.body;
    replyTo = from.replyTo;
    key = from.key;
    group = from.group;
    delay = from.delay;
    attributes = Map.copyOf(from.attributes);
    correlationId = from.correlationId;
    inReplyTo = from.inReplyTo;
    traceparent = from.traceparent;
    tracestate = from.tracestate;
  }

  /** A message without options. */
  public static <T> Outgoing<T, Object> of(T body) {
    return builder(body).build();
  }

  static String group(String value) {
    return Builder.text("group", value, 1, MAX_KEY);
  }

  /** Builds a message. */
  public static <T> Builder<T, Object> builder(T body) {
    return new Builder<>(body);
  }

  /** The body. */
  public T body() {
    return body;
  }

  /** The mailbox for replies. */
  public Optional<Mailbox<? super R, ?>> replyTo() {
    return Optional.ofNullable(replyTo);
  }

  /** The idempotency key: a second send with the same key adds no message. */
  public Optional<String> key() {
    return Optional.ofNullable(key);
  }

  /** The group whose messages are delivered in order. */
  public Optional<String> group() {
    return Optional.ofNullable(group);
  }

  /** How long the message stays hidden at first; zero or positive. */
  public Duration delay() {
    return delay;
  }

  /** The attributes, unmodifiable. */
  public Map<String, String> attributes() {
    return attributes;
  }

  /** The id that relates this message to others. */
  public Optional<String> correlationId() {
    return Optional.ofNullable(correlationId);
  }

  /** The id of the request that the message replies to. */
  public Optional<String> inReplyTo() {
    return Optional.ofNullable(inReplyTo);
  }

  /** The trace that the message belongs to, as in the W3C header of that name. */
  public Optional<String> traceparent() {
    return Optional.ofNullable(traceparent);
  }

  /** The W3C header of that name; it accompanies {@link #traceparent}. */
  public Optional<String> tracestate() {
    return Optional.ofNullable(tracestate);
  }

  /** This message, in the group {@code fallback} if it has none. */
  Outgoing<T, R> orderedBy(String fallback) {
    if (group != null) {
      return this;
    }
    Builder<T, R> copy = new Builder<>(body);
    copy.replyTo = replyTo;
    copy.key = key;
    copy.delay = delay;
    copy.attributes.putAll(attributes);
    copy.correlationId = correlationId;
    copy.inReplyTo = inReplyTo;
    copy.traceparent = traceparent;
    copy.tracestate = tracestate;
    return copy.group(fallback).build();
  }

  /** Lists the options that are set, but not the body. */
  @Override
  public String toString() {
    return "Outgoing[key=" + key + ", group=" + group + ", delay=" + delay + "]";
  }

  /**
   * Builds a message. Every setter throws {@link NullPointerException} for null and {@link
   * IllegalArgumentException} for a value that no backend accepts.
   *
   * @param <T> the body
   * @param <R> the bodies of the replies
   */
  public static final class Builder<T, R> {
    private final T body;
    private @Nullable Mailbox<? super R, ?> replyTo;
    private @Nullable String key;
    private @Nullable String group;
    private Duration delay = Duration.ZERO;
    private final Map<String, String> attributes = new TreeMap<>();
    private @Nullable String correlationId;
    private @Nullable String inReplyTo;
    private @Nullable String traceparent;
    private @Nullable String tracestate;

    private Builder(T body) {
      this.body = requireNonNull(body, "body");
    }

    /** Sends replies to this mailbox. The message carries only its name. */
    public <S> Builder<T, S> replyTo(Mailbox<S, ?> mailbox) {
      // The same builder: no other field has the type of the replies.
      @SuppressWarnings("unchecked")
      Builder<T, S> typed = (Builder<T, S>) this;
      typed.replyTo = requireNonNull(mailbox, "replyTo");
      return typed;
    }

    /** A second message with this key is a duplicate of the first; 1 to 255 characters. */
    public Builder<T, R> key(String value) {
      key = text("key", value, 1, MAX_KEY);
      return this;
    }

    /**
     * Messages of one group are delivered in the order they were sent; 1 to 255 characters. Over
     * HTTP, messages without a group have no order unless the topic has one shard. {@link
     * Mailbox#ordered} sets a group for many messages.
     */
    public Builder<T, R> group(String value) {
      group = Outgoing.group(value);
      return this;
    }

    /** The message stays hidden this long; zero or positive. */
    public Builder<T, R> delay(Duration value) {
      if (value.isNegative()) {
        throw new IllegalArgumentException("delay is negative: " + value);
      }
      delay = value;
      return this;
    }

    /**
     * Adds an attribute.
     *
     * @param name 1 to 128 characters, not beginning with {@code mailbox.}
     * @param value at most 1,024 characters
     */
    public Builder<T, R> attribute(String name, String value) {
      text("attribute name", name, 1, MAX_NAME);
      if (name.startsWith(RESERVED)) {
        throw new IllegalArgumentException("attribute " + name + " has a reserved name");
      }
      attributes.put(name, text("attribute " + name, value, 0, MAX_VALUE));
      return this;
    }

    /** Adds attributes, each as {@link #attribute}. */
    public Builder<T, R> attributes(Map<String, String> values) {
      values.forEach(this::attribute);
      return this;
    }

    /** Relates this message to others; 1 to 128 characters. */
    public Builder<T, R> correlationId(String value) {
      correlationId = text("correlationId", value, 1, MAX_NAME);
      return this;
    }

    /**
     * Names the request that the message replies to; 1 to 255 characters. {@link Message#reply}
     * does so automatically.
     */
    public Builder<T, R> inReplyTo(String requestId) {
      inReplyTo = text("inReplyTo", requestId, 1, MAX_KEY);
      return this;
    }

    /** The trace that the message belongs to, as in the W3C header of that name. */
    public Builder<T, R> traceparent(String value) {
      if (!TraceHeaders.isParent(value)) {
        throw new IllegalArgumentException("traceparent is malformed");
      }
      traceparent = value;
      return this;
    }

    /**
     * Goes with {@link #traceparent}, as in the W3C header of that name: at most 512 characters and
     * 32 members.
     */
    public Builder<T, R> tracestate(String value) {
      if (!TraceHeaders.isState(value)) {
        throw new IllegalArgumentException("tracestate is malformed or too long");
      }
      tracestate = value;
      return this;
    }

    /**
     * The message.
     *
     * @throws IllegalArgumentException if it has a tracestate and no traceparent
     */
    public Outgoing<T, R> build() {
      if (tracestate != null && traceparent == null) {
        throw new IllegalArgumentException("tracestate goes with traceparent");
      }
      return new Outgoing<>(this);
    }

    private static String text(String what, String value, int min, int max) {
      if (value.length() < min || value.length() > max) {
        throw new IllegalArgumentException(
            what + " must have " + min + " to " + max + " characters, not " + value.length());
      }
      // A lone surrogate is the only code point of a string that UTF-8 cannot encode.
      if (value
          .codePoints()
          .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
        throw new IllegalArgumentException(what + " is not well-formed Unicode");
      }
      return value;
    }
  }
}
