package org.svcmailbox.capability;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text of a caveat. Each caveat has only one spelling; any other text is unknown, and so
 * denies.
 */
final class ConditionText {
  private static final Pattern FORM = Pattern.compile("([a-z_]+ [=<>]) (\\S+)");
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");
  private static final Pattern RATE = Pattern.compile("([1-9][0-9]{0,8})/([smh])");
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,255}");
  private static final Pattern MAILBOX = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern KEY_PREFIX = Pattern.compile("[!-~]{1,64}");
  private static final String BELOW = ".*";

  private static final Map<String, Duration> PERIODS =
      Map.of("s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1));

  private static final Map<String, Function<String, Optional<Condition>>> READERS =
      Map.of(
          "topic =", ConditionText::topics,
          "mailbox =", ConditionText::mailbox,
          "ops =", ConditionText::operations,
          "idem_prefix =", ConditionText::keys,
          "expires <", value -> instant(value).map(Condition.Expires::new),
          "not_before >", value -> instant(value).map(Condition.NotBefore::new),
          "rate =", ConditionText::rate,
          "max_inflight =", ConditionText::maxInflight,
          "ip =", value -> IpRange.parse(value).map(Condition.From::new));

  private ConditionText() {}

  static Condition read(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return new Condition.Unknown();
    }
    Function<String, Optional<Condition>> reader = READERS.get(form.group(1));
    return Optional.ofNullable(reader)
        .flatMap(known -> known.apply(form.group(2)))
        .orElseGet(Condition.Unknown::new);
  }

  private static Optional<Condition> topics(String value) {
    boolean isBelow = value.endsWith(BELOW);
    // The dot stays, so that orders.* does not match orders2.
    String name = isBelow ? value.substring(0, value.length() - BELOW.length()) : value;
    if (!TOPIC.matcher(name).matches()) {
      return Optional.empty();
    }
    return Optional.of(
        isBelow ? new Condition.TopicsBelow(name + ".") : new Condition.OneTopic(name));
  }

  private static Optional<Condition> mailbox(String value) {
    return MAILBOX.matcher(value).matches()
        ? Optional.of(new Condition.OneMailbox(value))
        : Optional.empty();
  }

  private static Optional<Condition> keys(String value) {
    return KEY_PREFIX.matcher(value).matches()
        ? Optional.of(new Condition.KeysBelow(value))
        : Optional.empty();
  }

  private static Optional<Condition> operations(String value) {
    Set<Operation> operations = EnumSet.noneOf(Operation.class);
    for (String name : value.split(",", -1)) {
      Optional<Operation> operation = Operation.of(name);
      if (operation.isEmpty() || !operations.add(operation.get())) {
        return Optional.empty();
      }
    }
    return Optional.of(new Condition.Operations(operations));
  }

  private static Optional<Instant> instant(String value) {
    try {
      return Optional.of(Instant.parse(value));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Condition> rate(String value) {
    Matcher rate = RATE.matcher(value);
    if (!rate.matches()) {
      return Optional.empty();
    }
    Duration period = PERIODS.getOrDefault(rate.group(2), Duration.ZERO);
    return Optional.of(new Condition.Rate(Integer.parseInt(rate.group(1)), period));
  }

  private static Optional<Condition> maxInflight(String value) {
    return NUMBER.matcher(value).matches()
        ? Optional.of(new Condition.MaxInflight(Integer.parseInt(value)))
        : Optional.empty();
  }
}
