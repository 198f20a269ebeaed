package org.svcmailbox.core.topic;

/**
 * The figures of a topic on one node, or on several.
 *
 * @param letters dead letters of the broker, which all nodes share, as last counted
 * @param oldestSince when the oldest ready message became so, in epoch milliseconds; {@link #NEVER}
 *     without one
 * @param saturation 1 if a node refuses SENDs
 * @param isReceived whether consumers hold messages or wait for them
 */
public record TopicFigures(
    long ready,
    long scheduled,
    long inflight,
    long letters,
    long oldestSince,
    double saturation,
    MessageRates rates,
    boolean isReceived) {
  /** The beginning of no message. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The figures of a node without messages of the topic. */
  public static final TopicFigures NONE =
      new TopicFigures(0, 0, 0, 0, NEVER, 0, MessageRates.NONE, false);

  /** The figures of two nodes. Each message is on one of them; each saw the same dead letters. */
  public TopicFigures plus(TopicFigures other) {
    return new TopicFigures(
        ready + other.ready,
        scheduled + other.scheduled,
        inflight + other.inflight,
        Math.max(letters, other.letters),
        Math.min(oldestSince, other.oldestSince),
        Math.max(saturation, other.saturation),
        rates.plus(other.rates),
        isReceived || other.isReceived);
  }

  /** The age of the oldest ready message in milliseconds; 0 without one. */
  public long oldestAge(long nowMillis) {
    return Math.max(0, nowMillis - Math.min(nowMillis, oldestSince));
  }
}
