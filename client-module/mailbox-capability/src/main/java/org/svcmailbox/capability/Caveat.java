package org.svcmailbox.capability;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A caveat of a capability: the text, as it is signed, and the condition that it states. Each
 * condition has one spelling; a capability with any other text allows nothing.
 */
public final class Caveat {
  private static final Map<Duration, String> PERIODS =
      Map.of(Duration.ofSeconds(1), "s", Duration.ofMinutes(1), "m", Duration.ofHours(1), "h");

  private final String text;
  private final Condition condition;

  private Caveat(String text) {
    this.text = text;
    this.condition = ConditionText.read(text);
  }

  /** Reads any text; one that the service does not know states {@link Condition.Unknown}. */
  public static Caveat read(String text) {
    return new Caveat(text);
  }

  /**
   * Reads a caveat, such as {@code topic = orders}.
   *
   * @throws IllegalArgumentException if the service does not know it
   */
  public static Caveat parse(String text) {
    if (!isKnown(text)) {
      throw new IllegalArgumentException("the service knows no caveat \"" + text + "\"");
    }
    return read(text);
  }

  /** Whether the service knows a caveat with this text. */
  public static boolean isKnown(String text) {
    return !(ConditionText.read(text) instanceof Condition.Unknown);
  }

  /** This topic only. */
  public static Caveat topic(String name) {
    Caveat caveat = parse("topic = " + name);
    if (!(caveat.condition instanceof Condition.OneTopic)) {
      throw new IllegalArgumentException("a topic's name is 1 to 255 of A-Z a-z 0-9 . _ -");
    }
    return caveat;
  }

  /** Every topic whose name begins with {@code prefix} and a dot. */
  public static Caveat topicsBelow(String prefix) {
    return parse("topic = " + prefix + ".*");
  }

  /**
   * This mailbox of the rendezvous door only, and nothing else of the service.
   *
   * @param recipient 64 lower-case hex digits
   */
  public static Caveat mailbox(String recipient) {
    return parse("mailbox = " + recipient);
  }

  /** These operations only; at least one. */
  public static Caveat operations(Set<Operation> operations) {
    return parse(
        new TreeSet<>(operations)
            .stream().map(Operation::text).collect(Collectors.joining(",", "ops = ", "")));
  }

  /**
   * Messages only under keys that begin with {@code prefix}: 1 to 64 visible characters of ASCII.
   * End it with a character that no other sender's has, such as a colon.
   */
  public static Caveat keyPrefix(String prefix) {
    return parse("idem_prefix = " + prefix);
  }

  /** Calls before this moment only. */
  public static Caveat expires(Instant end) {
    return parse("expires < " + end);
  }

  /** Calls after this moment only. */
  public static Caveat notBefore(Instant start) {
    return parse("not_before > " + start);
  }

  /**
   * So many calls in a period.
   *
   * @param calls from 1 to 999,999,999
   * @param period one second, one minute or one hour
   */
  public static Caveat rate(int calls, Duration period) {
    return parse("rate = " + calls + "/" + PERIODS.getOrDefault(period, "?"));
  }

  /** So many leases at once, from 1 to 999,999,999. */
  public static Caveat maxInflight(int leases) {
    return parse("max_inflight = " + leases);
  }

  /** Calls from these addresses only, such as {@code 10.0.0.0/8}. */
  public static Caveat ip(String range) {
    return parse("ip = " + range);
  }

  /** The text as it is signed. */
  public String text() {
    return text;
  }

  /** The condition that the text states. */
  public Condition condition() {
    return condition;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Caveat that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
