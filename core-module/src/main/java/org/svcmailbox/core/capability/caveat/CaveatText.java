package org.svcmailbox.core.capability.caveat;

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
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.SchemaException;

/** Parses a caveat. Each has one spelling; any other is unknown, and so denies. */
final class CaveatText {
  private static final Pattern FORM = Pattern.compile("([a-z_]+ [=<>]) (\\S+)");
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");
  private static final Pattern RATE = Pattern.compile("([1-9][0-9]{0,8})/([smh])");
  private static final Pattern MAILBOX = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern KEY_PREFIX = Pattern.compile("[!-~]{1,64}");
  private static final String BELOW = ".*";

  private static final Map<String, Duration> PERIODS =
      Map.of("s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1));

  private static final Map<String, Function<String, Optional<Caveat>>> READERS =
      Map.of(
          "topic =", CaveatText::topics,
          "mailbox =", CaveatText::mailbox,
          "ops =", CaveatText::operations,
          "idem_prefix =", CaveatText::keys,
          "expires <", value -> instant(value).map(Caveat.Expires::new),
          "not_before >", value -> instant(value).map(Caveat.NotBefore::new),
          "rate =", CaveatText::rate,
          "max_inflight =", CaveatText::maxInflight,
          "ip =", value -> IpRange.parse(value).map(Caveat.From::new));

  private CaveatText() {}

  static Caveat read(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return new Caveat.Unknown(text);
    }
    Function<String, Optional<Caveat>> reader = READERS.get(form.group(1));
    return Optional.ofNullable(reader)
        .flatMap(known -> known.apply(form.group(2)))
        .orElseGet(() -> new Caveat.Unknown(text));
  }

  private static Optional<Caveat> topics(String value) {
    boolean isBelow = value.endsWith(BELOW);
    // The dot stays: it keeps orders.* from matching orders2.
    String name = isBelow ? value.substring(0, value.length() - BELOW.length()) : value;
    try {
      TopicName topic = new TopicName(name);
      return Optional.of(isBelow ? new Caveat.TopicsBelow(name + ".") : new Caveat.OneTopic(topic));
    } catch (SchemaException e) {
      return Optional.empty();
    }
  }

  private static Optional<Caveat> mailbox(String value) {
    return MAILBOX.matcher(value).matches()
        ? Optional.of(new Caveat.OneMailbox(value))
        : Optional.empty();
  }

  private static Optional<Caveat> keys(String value) {
    return KEY_PREFIX.matcher(value).matches()
        ? Optional.of(new Caveat.KeysBelow(value))
        : Optional.empty();
  }

  private static Optional<Caveat> operations(String value) {
    Set<Operation> operations = EnumSet.noneOf(Operation.class);
    for (String name : value.split(",", -1)) {
      Optional<Operation> operation = Operation.of(name);
      if (operation.isEmpty() || !operations.add(operation.get())) {
        return Optional.empty();
      }
    }
    return Optional.of(new Caveat.Operations(operations));
  }

  private static Optional<Instant> instant(String value) {
    try {
      return Optional.of(Instant.parse(value));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Caveat> rate(String value) {
    Matcher rate = RATE.matcher(value);
    if (!rate.matches()) {
      return Optional.empty();
    }
    Duration period = PERIODS.getOrDefault(rate.group(2), Duration.ZERO);
    return Optional.of(new Caveat.Rate(Integer.parseInt(rate.group(1)), period));
  }

  private static Optional<Caveat> maxInflight(String value) {
    return NUMBER.matcher(value).matches()
        ? Optional.of(new Caveat.MaxInflight(Integer.parseInt(value)))
        : Optional.empty();
  }
}
