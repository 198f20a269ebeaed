package org.svcmailbox.client;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The features and limits of a backend. The constants form the comparison table of the backends,
 * which {@code MailboxContract} tests.
 *
 * @param ordering the order in which messages are delivered
 * @param maxWait the longest wait of one receive; {@link #UNBOUNDED} if there is none
 * @param minVisibility the shortest lease
 * @param maxVisibility the longest lease, and the longest delay of a nack
 * @param maxDelay the longest delay of a send; zero if messages cannot be delayed
 * @param count the accuracy of {@link Mailbox#approximateCount()}
 * @param durability the messages that survive a restart of the backend
 * @param keys how long a key stays taken
 * @param keyWindow the time from a send during which its key stays taken, if {@code keys} is {@link
 *     KeyScope#WINDOW}; otherwise zero
 * @param keyConflicts whether the backend reports duplicates and refuses another body with the same
 *     key; otherwise it drops the second message silently
 * @param groups whether messages can have a group
 * @param deadLetters the part that removes messages that fail repeatedly
 * @param maxDeliveries the deliveries after which a backend with native dead letters removes a
 *     message: its default, or the value that it reports; {@link Integer#MAX_VALUE} if unknown
 * @param maxBatch the most messages of one {@code receive} or {@code sendAll}
 * @param maxAttributes the most attributes of a message
 * @param maxBodyBytes the most bytes of an encoded body
 * @param bounded whether the mailbox refuses messages beyond a capacity
 * @param lateAcknowledgements whether an acknowledgement after the end of its lease succeeds if no
 *     consumer has received the message since; otherwise the backend may refuse it
 * @param nackReasons whether {@link Message#lastError()} returns the reason of a nack
 * @param references whether bodies can stay objects, with {@code Codecs.reference()}
 */
public record BackendFeatures(
    Ordering ordering,
    Duration maxWait,
    Duration minVisibility,
    Duration maxVisibility,
    Duration maxDelay,
    CountAccuracy count,
    Durability durability,
    KeyScope keys,
    Duration keyWindow,
    boolean keyConflicts,
    boolean groups,
    DeadLetters deadLetters,
    int maxDeliveries,
    int maxBatch,
    int maxAttributes,
    int maxBodyBytes,
    boolean bounded,
    boolean lateAcknowledgements,
    boolean nackReasons,
    boolean references) {

  /** A duration without a bound. */
  public static final Duration UNBOUNDED = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

  private static final Duration USUAL_WAIT = Duration.ofSeconds(20);
  private static final Duration USUAL_VISIBILITY = Duration.ofSeconds(30);

  /** The order in which messages are delivered. */
  public enum Ordering {
    /** Any order. */
    BEST_EFFORT,
    /** As sent. A message that comes back is delivered before those sent after it. */
    FIFO,
    /** As sent within one shard; messages of one group share a shard. */
    FIFO_PER_SHARD,
    /** As sent within one group; a group with a held or hidden message delivers nothing. */
    STRICT
  }

  /** The accuracy of a count. */
  public enum CountAccuracy {
    EXACT,
    /** Current; a sum over several shards, which are read one after the other. */
    LIVE,
    /** Up to a minute old. */
    LAGGING
  }

  /** The messages that survive a restart of the backend. */
  public enum Durability {
    /** Nothing. */
    NONE,
    /** Depends on the backend's configuration. */
    CONFIGURED,
    /** Every answered send: its bytes are on disk. */
    FSYNC,
    /** Every answered send: several machines have it. */
    REPLICATED
  }

  /** How long a message's key stays taken. */
  public enum KeyScope {
    /** There are no keys. */
    NONE,
    /** Until the message is acknowledged or purged. */
    UNTIL_ACKNOWLEDGED,
    /** For {@link BackendFeatures#keyWindow()}, whatever happens to the message. */
    WINDOW
  }

  /** The part that removes messages that fail repeatedly. */
  public enum DeadLetters {
    /** The backend. */
    NATIVE,
    /** The worker loop, according to its {@code DLQConfig}. */
    LOOP
  }

  private static final int ONE_MEBIBYTE = 1 << 20;

  /** {@code InMemoryMailbox} with its default options. */
  public static final BackendFeatures IN_MEMORY =
      new BackendFeatures(
          Ordering.FIFO,
          UNBOUNDED,
          Duration.ofMillis(1),
          UNBOUNDED,
          UNBOUNDED,
          CountAccuracy.EXACT,
          Durability.NONE,
          KeyScope.UNTIL_ACKNOWLEDGED,
          Duration.ZERO,
          true,
          true,
          DeadLetters.LOOP,
          Integer.MAX_VALUE,
          100,
          31,
          ONE_MEBIBYTE,
          true,
          true,
          true,
          true);

  /** Redis 7 or later. */
  public static final BackendFeatures REDIS =
      IN_MEMORY.with(
          changed -> {
            changed.durability(Durability.CONFIGURED);
            changed.references(false);
          });

  /**
   * The mailbox service over HTTP, with its default {@code t_replay}, {@code max_attempts} and
   * {@code max_frame}.
   */
  public static final BackendFeatures HTTP =
      REDIS.with(
          changed -> {
            changed.ordering(Ordering.FIFO_PER_SHARD);
            changed.maxWait(Duration.ofSeconds(30));
            changed.minVisibility(Duration.ofMillis(250));
            changed.maxVisibility(Duration.ofHours(12));
            changed.maxDelay(Duration.ofDays(7));
            changed.count(CountAccuracy.LIVE);
            changed.durability(Durability.FSYNC);
            changed.keys(KeyScope.WINDOW);
            changed.keyWindow(Duration.ofMinutes(5));
            changed.deadLetters(DeadLetters.NATIVE);
            changed.maxDeliveries(5);
          });

  /** An Amazon SQS standard queue. */
  public static final BackendFeatures SQS_STANDARD =
      REDIS.with(
          changed -> {
            changed.ordering(Ordering.BEST_EFFORT);
            changed.maxWait(Duration.ofSeconds(20));
            changed.maxVisibility(Duration.ofHours(12));
            changed.maxDelay(Duration.ofMinutes(15));
            changed.count(CountAccuracy.LAGGING);
            changed.durability(Durability.REPLICATED);
            changed.keys(KeyScope.NONE);
            changed.keyConflicts(false);
            changed.groups(false);
            changed.deadLetters(DeadLetters.NATIVE);
            changed.maxBatch(10);
            changed.maxAttributes(8);
            changed.bounded(false);
            changed.nackReasons(false);
          });

  /** An Amazon SQS FIFO queue. */
  public static final BackendFeatures SQS_FIFO =
      SQS_STANDARD.with(
          changed -> {
            changed.ordering(Ordering.STRICT);
            changed.maxDelay(Duration.ZERO);
            changed.keys(KeyScope.WINDOW);
            changed.keyWindow(Duration.ofMinutes(5));
            changed.groups(true);
            changed.lateAcknowledgements(false);
          });

  /** The default wait of a receive: 20 s, or less if the backend allows less. */
  public Duration usualWait() {
    return shorter(USUAL_WAIT, maxWait);
  }

  /** The default lease of a receive: 30 s, or the nearest value that the backend allows. */
  public Duration usualVisibility() {
    Duration most = shorter(USUAL_VISIBILITY, maxVisibility);
    return most.compareTo(minVisibility) < 0 ? minVisibility : most;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Returns a changed copy. */
  public BackendFeatures with(Consumer<Builder> change) {
    Builder builder = new Builder(this);
    change.accept(builder);
    return builder.build();
  }

  /** Builds a changed copy. */
  public static final class Builder {
    private Ordering ordering;
    private Duration maxWait;
    private Duration minVisibility;
    private Duration maxVisibility;
    private Duration maxDelay;
    private CountAccuracy count;
    private Durability durability;
    private KeyScope keys;
    private Duration keyWindow;
    private boolean keyConflicts;
    private boolean groups;
    private DeadLetters deadLetters;
    private int maxDeliveries;
    private int maxBatch;
    private int maxAttributes;
    private int maxBodyBytes;
    private boolean bounded;
    private boolean lateAcknowledgements;
    private boolean nackReasons;
    private boolean references;

    private Builder(BackendFeatures from) {
      ordering = from.ordering;
      maxWait = from.maxWait;
      minVisibility = from.minVisibility;
      maxVisibility = from.maxVisibility;
      maxDelay = from.maxDelay;
      count = from.count;
      durability = from.durability;
      keys = from.keys;
      keyWindow = from.keyWindow;
      keyConflicts = from.keyConflicts;
      groups = from.groups;
      deadLetters = from.deadLetters;
      maxDeliveries = from.maxDeliveries;
      maxBatch = from.maxBatch;
      maxAttributes = from.maxAttributes;
      maxBodyBytes = from.maxBodyBytes;
      bounded = from.bounded;
      lateAcknowledgements = from.lateAcknowledgements;
      nackReasons = from.nackReasons;
      references = from.references;
    }

    /** Sets {@link BackendFeatures#ordering()}. */
    public Builder ordering(Ordering ordering) {
      this.ordering = ordering;
      return this;
    }

    /** Sets {@link BackendFeatures#maxWait()}. */
    public Builder maxWait(Duration maxWait) {
      this.maxWait = maxWait;
      return this;
    }

    /** Sets {@link BackendFeatures#minVisibility()}. */
    public Builder minVisibility(Duration minVisibility) {
      this.minVisibility = minVisibility;
      return this;
    }

    /** Sets {@link BackendFeatures#maxVisibility()}. */
    public Builder maxVisibility(Duration maxVisibility) {
      this.maxVisibility = maxVisibility;
      return this;
    }

    /** Sets {@link BackendFeatures#maxDelay()}. */
    public Builder maxDelay(Duration maxDelay) {
      this.maxDelay = maxDelay;
      return this;
    }

    /** Sets {@link BackendFeatures#count()}. */
    public Builder count(CountAccuracy count) {
      this.count = count;
      return this;
    }

    /** Sets {@link BackendFeatures#durability()}. */
    public Builder durability(Durability durability) {
      this.durability = durability;
      return this;
    }

    /** Sets {@link BackendFeatures#keys()}. */
    public Builder keys(KeyScope keys) {
      this.keys = keys;
      return this;
    }

    /** Sets {@link BackendFeatures#keyWindow()}. */
    public Builder keyWindow(Duration keyWindow) {
      this.keyWindow = keyWindow;
      return this;
    }

    /** Sets {@link BackendFeatures#keyConflicts()}. */
    public Builder keyConflicts(boolean keyConflicts) {
      this.keyConflicts = keyConflicts;
      return this;
    }

    /** Sets {@link BackendFeatures#groups()}. */
    public Builder groups(boolean groups) {
      this.groups = groups;
      return this;
    }

    /** Sets {@link BackendFeatures#deadLetters()}. */
    public Builder deadLetters(DeadLetters deadLetters) {
      this.deadLetters = deadLetters;
      return this;
    }

    /** Sets {@link BackendFeatures#maxDeliveries()}. */
    public Builder maxDeliveries(int maxDeliveries) {
      this.maxDeliveries = maxDeliveries;
      return this;
    }

    /** Sets {@link BackendFeatures#maxBatch()}. */
    public Builder maxBatch(int maxBatch) {
      this.maxBatch = maxBatch;
      return this;
    }

    /** Sets {@link BackendFeatures#maxAttributes()}. */
    public Builder maxAttributes(int maxAttributes) {
      this.maxAttributes = maxAttributes;
      return this;
    }

    /** Sets {@link BackendFeatures#maxBodyBytes()}. */
    public Builder maxBodyBytes(int maxBodyBytes) {
      this.maxBodyBytes = maxBodyBytes;
      return this;
    }

    /** Sets {@link BackendFeatures#bounded()}. */
    public Builder bounded(boolean bounded) {
      this.bounded = bounded;
      return this;
    }

    /** Sets {@link BackendFeatures#lateAcknowledgements()}. */
    public Builder lateAcknowledgements(boolean lateAcknowledgements) {
      this.lateAcknowledgements = lateAcknowledgements;
      return this;
    }

    /** Sets {@link BackendFeatures#nackReasons()}. */
    public Builder nackReasons(boolean nackReasons) {
      this.nackReasons = nackReasons;
      return this;
    }

    /** Sets {@link BackendFeatures#references()}. */
    public Builder references(boolean references) {
      this.references = references;
      return this;
    }

    private BackendFeatures build() {
      return new BackendFeatures(
          ordering,
          maxWait,
          minVisibility,
          maxVisibility,
          maxDelay,
          count,
          durability,
          keys,
          keyWindow,
          keyConflicts,
          groups,
          deadLetters,
          maxDeliveries,
          maxBatch,
          maxAttributes,
          maxBodyBytes,
          bounded,
          lateAcknowledgements,
          nackReasons,
          references);
    }
  }
}
