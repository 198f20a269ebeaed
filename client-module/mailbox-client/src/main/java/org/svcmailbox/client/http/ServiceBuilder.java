package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.svcmailbox.capability.Caveat;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxNames;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.service.ServiceDriver;

/**
 * Builds a mailbox of the service, over HTTP or gRPC. Applications use {@link HttpMailbox#builder}
 * or {@code GrpcMailbox.builder}.
 *
 * @param <B> the builder itself
 */
public abstract class ServiceBuilder<B extends ServiceBuilder<B>> {
  /** The default of {@link #sendTimeout}. */
  public static final Duration SEND_TIMEOUT = Duration.ofSeconds(30);

  /** The default of {@link #callTimeout}. */
  public static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

  /** The default number of messages that may be unanswered. */
  public static final int BUFFER_MESSAGES = 10_000;

  /** The default number of encoded bytes that may be unanswered. */
  public static final long BUFFER_BYTES = 16L << 20;

  private static final int LEAST_BUFFER = 2 << 20;

  private final TokenSource tokens;
  private final String name;
  private Set<Operation> operations = Set.of();
  private BackendFeatures features = BackendFeatures.HTTP;
  private MailboxResolver resolver = MailboxResolver.of();
  private MailboxClock clock = MailboxClock.system();
  private DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();
  private Duration sendTimeout = SEND_TIMEOUT;
  private Duration callTimeout = CALL_TIMEOUT;
  private Duration linger = Duration.ZERO;
  private int bufferMessages = BUFFER_MESSAGES;
  private long bufferBytes = BUFFER_BYTES;

  /** Builds a mailbox of this name. */
  protected ServiceBuilder(TokenSource tokens, String name) {
    this.tokens = requireNonNull(tokens, "tokens");
    this.name = MailboxNames.require(name);
  }

  /** This builder. */
  protected abstract B self();

  /** Finds the mailboxes for replies to received messages; by default none. */
  public final B resolver(MailboxResolver value) {
    resolver = requireNonNull(value, "resolver");
    return self();
  }

  /**
   * Narrows every token to this mailbox and these operations, before it leaves this process.
   * Counting needs {@link Operation#PEEK}, purging {@link Operation#ADMIN}.
   */
  public final B narrowTo(Operation first, Operation... more) {
    operations = EnumSet.of(first, more);
    return self();
  }

  /**
   * How long a send is repeated, positive and below {@link BackendFeatures#keyWindow()}; by default
   * 30 s. After that window, a repeat would add a second message.
   */
  public final B sendTimeout(Duration value) {
    sendTimeout = positive("sendTimeout", value);
    return self();
  }

  /**
   * How long one call may take, and how long calls other than sends are repeated; positive, by
   * default 10 s. A receive may take its wait in addition.
   */
  public final B callTimeout(Duration value) {
    callTimeout = positive("callTimeout", value);
    return self();
  }

  /** How long {@code sendAsync} waits for a batch to fill; by default not at all. */
  public final B linger(Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException("linger is negative: " + value);
    }
    linger = value;
    return self();
  }

  /**
   * Limits the unanswered messages of {@code sendAsync}; it refuses further messages.
   *
   * @param messages at least 1; by default 10,000
   * @param bytes of encoded messages, at least 2 MiB, so that one message fits; by default 16 MiB
   */
  public final B buffer(int messages, long bytes) {
    if (messages < 1 || bytes < LEAST_BUFFER) {
      throw new IllegalArgumentException("a buffer holds at least 1 message and 2 MiB");
    }
    bufferMessages = messages;
    bufferBytes = bytes;
    return self();
  }

  /**
   * Changes the limits for arguments, for a service or a topic with other settings than the
   * defaults: {@code t_replay} is {@code keyWindow}, {@code max_frame} is {@code maxBodyBytes}, and
   * {@code max_attempts} is {@code maxDeliveries}.
   */
  public final B limits(Consumer<BackendFeatures.Builder> change) {
    features = features.with(change);
    return self();
  }

  final B clock(MailboxClock value) {
    clock = value;
    return self();
  }

  /** Supplies numbers from 0 to 1 that spread the repeats of many clients. */
  protected B random(DoubleSupplier value) {
    random = value;
    return self();
  }

  /** The topic. */
  protected final String name() {
    return name;
  }

  /** Finds the mailboxes for replies. */
  protected final MailboxResolver resolver() {
    return resolver;
  }

  /** The tokens to present. */
  protected final TokenSource narrowedTokens() {
    return operations.isEmpty()
        ? tokens
        : new NarrowedTokens(tokens, Caveat.topic(name), Caveat.operations(operations));
  }

  /**
   * The settings of the mailbox.
   *
   * @param location of the service, for logs
   * @throws IllegalArgumentException if the send timeout is not below the key window
   */
  protected final ServiceDriver.Settings settings(String location) {
    if (sendTimeout.compareTo(features.keyWindow()) >= 0) {
      throw new IllegalArgumentException(
          "sendTimeout must be below the key window of " + features.keyWindow());
    }
    return new ServiceDriver.Settings(
        name,
        location,
        features,
        clock,
        random,
        sendTimeout,
        callTimeout,
        linger,
        bufferMessages,
        bufferBytes);
  }

  static Duration positive(String what, Duration value) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(what + " must be positive, not " + value);
    }
    return value;
  }
}
