package org.svcmailbox.client.capability;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.svcmailbox.client.MailboxNames;

/**
 * One condition of a capability, as text. The service knows each in one spelling and denies
 * everything to a capability with another, so this class makes no caveat that the service does not
 * know.
 */
public final class Caveat {
  private static final Pattern FORM = Pattern.compile("([a-z_]+ [=<>]) (\\S+)");
  private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,8}");
  private static final Pattern RATE = Pattern.compile("[1-9][0-9]{0,8}/[smh]");
  // Literal addresses only, so that reading one never asks a name server.
  private static final Pattern RANGE =
      Pattern.compile(
          "((?:[0-9]{1,3}\\.){3}[0-9]{1,3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)/([0-9]{1,3})");
  private static final Pattern RECIPIENT = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern KEY_PREFIX = Pattern.compile("[!-~]{1,64}");
  private static final String IDEM_PREFIX = "idem_prefix = ";
  private static final String EXPIRES = "expires <";

  private static final Map<Duration, String> PERIODS =
      Map.of(Duration.ofSeconds(1), "s", Duration.ofMinutes(1), "m", Duration.ofHours(1), "h");

  private static final Map<String, Predicate<String>> KNOWN =
      Map.of(
          "topic =",
          Caveat::isTopic,
          "mailbox =",
          value -> RECIPIENT.matcher(value).matches(),
          "ops =",
          Caveat::isOperations,
          "idem_prefix =",
          value -> KEY_PREFIX.matcher(value).matches(),
          EXPIRES,
          Caveat::isInstant,
          "not_before >",
          Caveat::isInstant,
          "rate =",
          value -> RATE.matcher(value).matches(),
          "max_inflight =",
          value -> COUNT.matcher(value).matches(),
          "ip =",
          Caveat::isRange);

  private final String text;

  private Caveat(String text) {
    this.text = text;
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
    return new Caveat(text);
  }

  /** Whether the service knows a caveat with this text. */
  public static boolean isKnown(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        && Optional.ofNullable(KNOWN.get(form.group(1)))
            .filter(known -> known.test(form.group(2)))
            .isPresent();
  }

  /** This topic only. */
  public static Caveat topic(String name) {
    return parse("topic = " + MailboxNames.require(name));
  }

  /** Every topic whose name begins with {@code prefix} and a dot. */
  public static Caveat topicsBelow(String prefix) {
    return parse("topic = " + MailboxNames.require(prefix) + ".*");
  }

  /**
   * This mailbox of the rendezvous door only, and nothing else of the service.
   *
   * @param recipient 64 lower-case hex digits
   */
  public static Caveat mailbox(String recipient) {
    return parse("mailbox = " + recipient);
  }

  /** Only the given operations; at least one. */
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
    return parse(IDEM_PREFIX + prefix);
  }

  /** Calls before this moment only. */
  public static Caveat expires(Instant end) {
    return parse(EXPIRES + " " + end);
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

  /** The moment at which a caveat with this text ends a capability, if it is of that kind. */
  static Optional<Instant> end(String text) {
    return text.startsWith(EXPIRES) && isKnown(text)
        ? Optional.of(Instant.parse(text.substring(EXPIRES.length() + 1)))
        : Optional.empty();
  }

  /** The prefix of keys that a caveat with this text demands, if it is of that kind. */
  static Optional<String> keys(String text) {
    return text.startsWith(IDEM_PREFIX) && isKnown(text)
        ? Optional.of(text.substring(IDEM_PREFIX.length()))
        : Optional.empty();
  }

  /** The text as it is signed. */
  public String text() {
    return text;
  }

  private static boolean isTopic(String value) {
    return MailboxNames.isValid(
        value.endsWith(".*") ? value.substring(0, value.length() - 2) : value);
  }

  private static boolean isOperations(String value) {
    Set<String> seen = new HashSet<>();
    return Arrays.stream(value.split(",", -1))
        .allMatch(name -> Operation.of(name).isPresent() && seen.add(name));
  }

  private static boolean isInstant(String value) {
    try {
      Instant.parse(value);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  /** Whether the bits after the prefix are zero. */
  private static boolean isRange(String value) {
    Matcher range = RANGE.matcher(value);
    if (!range.matches()) {
      return false;
    }
    try {
      byte[] address = InetAddress.getByName(range.group(1)).getAddress();
      int prefix = Integer.parseInt(range.group(2));
      for (int bit = prefix; bit < address.length * Byte.SIZE; bit++) {
        if ((address[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1) != 0) {
          return false;
        }
      }
      return prefix <= address.length * Byte.SIZE;
    } catch (UnknownHostException e) {
      return false;
    }
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
