package org.svcmailbox.client.sqs;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.DeadLetters;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxNotFoundException;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.spi.AbstractMailbox;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * A mailbox on Amazon SQS: a FIFO queue if its name ends in {@code .fifo}, else a standard queue.
 *
 * <p>Durations are rounded up to seconds. A lease ends at the latest 12 h after its receive began,
 * however often it is extended. SQS does not keep the reason of a nack. {@link #purge} takes up to
 * a minute, and deletes held messages too.
 *
 * <p>A standard queue has no keys, so repeating a send that failed with {@code UNKNOWN} may add a
 * second message. It may deliver a message twice. It accepts and ignores an acknowledgement whose
 * lease is lost, and delivers the message again.
 *
 * <p>{@link #sendAsync} gathers messages into batches of ten. On a FIFO queue only one batch is
 * sent at a time, which keeps the order. Callbacks must not block: they run on the threads that
 * make the requests.
 *
 * <p>A poll is never aborted, because SQS would hide its messages. An interrupted receive, and
 * {@link #close}, wait for the poll to end, at most {@link Builder#longestPoll}, and release its
 * messages.
 *
 * @param <T> the bodies
 * @param <R> the bodies of replies
 */
public final class SqsMailbox<T, R> extends AbstractMailbox<T, R> {
  private SqsMailbox(Builder<T, R> from, SqsDriver driver) {
    super(from.name, driver, from.codec, from.replyCodec, from.resolver);
  }

  /**
   * Builds a mailbox, by default with the region and the credentials of the environment.
   *
   * @param name the queue
   * @param codec for the bodies
   * @param replyCodec for the replies to received messages
   * @throws IllegalArgumentException if no queue can have the name
   */
  public static <T, R> Builder<T, R> builder(String name, Codec<T> codec, Codec<R> replyCodec) {
    return new Builder<>(name, codec, replyCodec);
  }

  /** As {@link #builder(String, Codec, Codec)}, for messages without replies. */
  public static <T> Builder<T, Void> builder(String name, Codec<T> codec) {
    return builder(name, codec, Codecs.none());
  }

  /**
   * Builds a mailbox.
   *
   * @param <T> the bodies
   * @param <R> the bodies of replies
   */
  public static final class Builder<T, R> {
    /** The default of {@link #longestPoll}. */
    public static final Duration LONGEST_POLL = Duration.ofSeconds(5);

    /** The default of {@link #callTimeout}. */
    public static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

    /** The default number of messages that may be unanswered. */
    public static final int BUFFER_MESSAGES = 10_000;

    /** The bytes of these. */
    public static final long BUFFER_BYTES = 16L << 20;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /**
     * The limit of an SQS that does not state it, as some implementations of its protocol do not.
     */
    private static final int LEAST_MESSAGE_BYTES = 256 << 10;

    private static final Pattern MAX_RECEIVE_COUNT =
        Pattern.compile("\"maxReceiveCount\"\\s*:\\s*\"?(\\d{1,4})");

    private static final Pattern QUEUE =
        Pattern.compile("[A-Za-z0-9_-]{1,80}|[A-Za-z0-9_-]{1,75}\\.fifo");

    private final String name;
    private final Codec<T> codec;
    private final Codec<R> replyCodec;
    private MailboxResolver resolver = MailboxResolver.of();
    private Consumer<? super SqsClientBuilder> client = builder -> {};
    private @Nullable String queueUrl;
    Duration longestPoll = LONGEST_POLL;
    Duration callTimeout = CALL_TIMEOUT;
    Duration linger = Duration.ZERO;
    Duration flush = Duration.ofSeconds(10);
    int bufferMessages = BUFFER_MESSAGES;
    long bufferBytes = BUFFER_BYTES;

    private Builder(String name, Codec<T> codec, Codec<R> replyCodec) {
      this.name = name;
      if (!QUEUE.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "a queue's name is 1 to 80 of A-Z a-z 0-9 _ -, the last of them .fifo or not");
      }
      this.codec = requireNonNull(codec, "codec");
      this.replyCodec = requireNonNull(replyCodec, "replyCodec");
    }

    /** Finds the mailboxes for replies to received messages; by default none. */
    public Builder<T, R> resolver(MailboxResolver value) {
      resolver = requireNonNull(value, "resolver");
      return this;
    }

    /**
     * Changes the SDK's client: region, credentials, endpoint, HTTP client. The SDK's retries stay
     * off, because the SDK does not know which calls are safe to repeat. A different HTTP client
     * must wait for an answer longer than a poll takes.
     */
    public Builder<T, R> client(Consumer<? super SqsClientBuilder> change) {
      client = requireNonNull(change, "client");
      return this;
    }

    /**
     * The queue's URL, if it is in another account or may not be looked up by its name.
     *
     * @throws IllegalArgumentException if the URL belongs to a queue with another name
     */
    public Builder<T, R> queueUrl(URI value) {
      if (!value.toString().endsWith("/" + name)) {
        throw new IllegalArgumentException(value + " is not the URL of the queue " + name);
      }
      queueUrl = value.toString();
      return this;
    }

    /**
     * How long one poll waits at SQS, from 1 to 20 s; by default 5 s. A receive that waits longer
     * polls several times. {@code close} and an interrupted receive wait at most this long for a
     * poll to end.
     */
    public Builder<T, R> longestPoll(Duration value) {
      longestPoll = between("longestPoll", value, Duration.ofSeconds(1), Duration.ofSeconds(20));
      return this;
    }

    /**
     * How long an answer may take, in addition to a poll's wait, and how long a call is repeated;
     * by default 10 s.
     */
    public Builder<T, R> callTimeout(Duration value) {
      callTimeout = between("callTimeout", value, Duration.ofMillis(1), Duration.ofMinutes(1));
      return this;
    }

    /**
     * How long {@link #sendAsync} waits for a batch to fill, up to 1 min; by default not at all.
     */
    public Builder<T, R> linger(Duration value) {
      linger = between("linger", value, Duration.ZERO, Duration.ofMinutes(1));
      return this;
    }

    /**
     * Limits the unanswered messages of {@link #sendAsync}; it refuses further messages.
     *
     * @param messages at least 1; by default 10,000
     * @param bytes their total size, at least 1 MiB, so that one message fits; by default 16 MiB
     */
    public Builder<T, R> buffer(int messages, long bytes) {
      if (messages < 1 || bytes < 1 << 20) {
        throw new IllegalArgumentException("a buffer holds at least 1 message and 1 MiB");
      }
      bufferMessages = messages;
      bufferBytes = bytes;
      return this;
    }

    private static Duration between(String what, Duration value, Duration min, Duration max) {
      if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
        throw new IllegalArgumentException(
            what + " must be between " + min + " and " + max + ", not " + value);
      }
      return value;
    }

    /** How long closing waits for sends and settlements. */
    Builder<T, R> flush(Duration value) {
      flush = value;
      return this;
    }

    Duration socketTimeout() {
      return longestPoll.plus(callTimeout);
    }

    /**
     * Opens the mailbox: finds the queue and reads its limits. Creates no queue.
     *
     * @throws MailboxNotFoundException if the queue does not exist
     * @throws AccessDeniedException if the credentials are missing, wrong or insufficient
     * @throws MailboxConnectionException if SQS cannot be reached
     * @throws IllegalStateException if the client cannot be created, for example without a region
     */
    public SqsMailbox<T, R> build() {
      SqsClient built = builtClient();
      try {
        return new SqsMailbox<>(this, new SqsDriver(open(built), built, this));
      } catch (RuntimeException e) {
        built.close();
        throw e;
      }
    }

    private SqsClient builtClient() {
      SqsClientBuilder builder =
          SqsClient.builder()
              .httpClientBuilder(
                  UrlConnectionHttpClient.builder()
                      .connectionTimeout(CONNECT_TIMEOUT)
                      .socketTimeout(socketTimeout()));
      client.accept(builder);
      try {
        return builder
            .checksumValidationEnabled(false)
            .overrideConfiguration(
                builder.overrideConfiguration().toBuilder()
                    .retryStrategy(AwsRetryStrategy.doNotRetry())
                    .build())
            .build();
      } catch (SdkClientException e) {
        throw new IllegalStateException("the client of SQS cannot be made: " + e.getMessage(), e);
      }
    }

    private Queue open(SqsClient sqs) {
      SqsRepeater repeater = new SqsRepeater(callTimeout);
      String url =
          queueUrl != null
              ? queueUrl
              : repeater.call(
                  "GetQueueUrl",
                  true,
                  inDoubt -> sqs.getQueueUrl(request -> request.queueName(name)).queueUrl());
      Map<QueueAttributeName, String> attributes =
          repeater.call(
              "GetQueueAttributes",
              true,
              inDoubt ->
                  sqs.getQueueAttributes(
                          request ->
                              request
                                  .queueUrl(url)
                                  .attributeNames(
                                      QueueAttributeName.MAXIMUM_MESSAGE_SIZE,
                                      QueueAttributeName.REDRIVE_POLICY))
                      .attributes());
      boolean isFifo = name.endsWith(".fifo");
      return new Queue(
          name,
          url,
          isFifo,
          (isFifo ? BackendFeatures.SQS_FIFO : BackendFeatures.SQS_STANDARD)
              .with(changed -> read(attributes, changed)));
    }

    private static void read(
        Map<QueueAttributeName, String> attributes, BackendFeatures.Builder changed) {
      String most = attributes.get(QueueAttributeName.MAXIMUM_MESSAGE_SIZE);
      changed.maxBodyBytes(most == null ? LEAST_MESSAGE_BYTES : Integer.parseInt(most));
      String redrive = attributes.get(QueueAttributeName.REDRIVE_POLICY);
      if (redrive == null) {
        changed.deadLetters(DeadLetters.LOOP);
        return;
      }
      Matcher deliveries = MAX_RECEIVE_COUNT.matcher(redrive);
      if (deliveries.find()) {
        changed.maxDeliveries(Integer.parseInt(deliveries.group(1)));
      }
    }
  }
}
