package org.svcmailbox.client.cdi;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.svcmailbox.amount.Amounts;
import org.svcmailbox.client.MailboxNames;
import org.svcmailbox.client.listener.ListenerSettings;
import org.svcmailbox.client.listener.ServiceSettings;
import org.svcmailbox.client.loop.DLQConfig;

/** Reads the settings of mailboxes. An invalid value becomes a problem with its key. */
final class MailboxSettingsReader {
  static final Duration DEFAULT_VISIBILITY = Duration.ofSeconds(30);
  static final Duration DEFAULT_STOP_TIMEOUT = Duration.ofSeconds(30);
  static final Duration MAX_STOP_TIMEOUT = Duration.ofMinutes(10);
  static final int MAX_CONCURRENCY = 1_000;
  static final int MAX_DELIVERIES = 1_000_000;

  private static final Duration ONE_MILLISECOND = Duration.ofMillis(1);
  private static final Duration MAX_DURATION = Duration.ofDays(365);

  private final Config config;
  private final DeploymentProblems problems;

  MailboxSettingsReader(Config config, DeploymentProblems problems) {
    this.config = config;
    this.problems = problems;
  }

  /** The settings of a mailbox's listener; an invalid value is read as its default. */
  ListenerSettings listener(String mailbox) {
    Optional<String> deadLetters = text(MailboxSetting.DEAD_LETTER_MAILBOX.key(mailbox));
    deadLetters
        .filter(name -> !MailboxNames.isValid(name) || name.equals(mailbox))
        .ifPresent(
            name ->
                problems.add(
                    MailboxSetting.DEAD_LETTER_MAILBOX.key(mailbox),
                    "must be the name of another mailbox: 1 to 255 of A-Z a-z 0-9 . _ -"));
    Optional<Integer> limit = number(MailboxSetting.DEAD_LETTER_LIMIT.key(mailbox), MAX_DELIVERIES);
    return new ListenerSettings(
        number(MailboxSetting.CONCURRENCY.key(mailbox), MAX_CONCURRENCY).orElse(1),
        flag(MailboxSetting.ORDERED.key(mailbox)).orElse(false),
        duration(MailboxSetting.VISIBILITY.key(mailbox), ONE_MILLISECOND, MAX_DURATION)
            .orElse(DEFAULT_VISIBILITY),
        duration(MailboxSetting.MAX_EXECUTION.key(mailbox), ONE_MILLISECOND, MAX_DURATION),
        duration(MailboxSetting.RETRY_DELAY.key(mailbox), Duration.ZERO, MAX_DURATION),
        deadLetters.filter(MailboxNames::isValid),
        deadLetters.isPresent()
            ? OptionalInt.of(limit.orElse(DLQConfig.DEFAULT_DELIVERIES))
            : limit.map(OptionalInt::of).orElseGet(OptionalInt::empty),
        duration(MailboxSetting.STOP_TIMEOUT.key(mailbox), Duration.ZERO, MAX_STOP_TIMEOUT)
            .orElse(DEFAULT_STOP_TIMEOUT));
  }

  /**
   * The settings for reaching a mailbox over HTTP; empty, with a problem recorded, if they are
   * missing.
   */
  Optional<ServiceSettings> service(String mailbox) {
    Optional<URI> url =
        value(
            given(MailboxSetting.URL, mailbox),
            URI::create,
            "must be a URL of the mailbox service");
    Optional<Path> token =
        value(given(MailboxSetting.TOKEN_FILE, mailbox), Path::of, "must be the name of a file");
    boolean plain = flag(given(MailboxSetting.ALLOW_PLAIN_HTTP, mailbox)).orElse(false);
    boolean streaming = flag(given(MailboxSetting.STREAMING, mailbox)).orElse(false);
    String replyKey = MailboxSetting.REPLY_TO.key(mailbox);
    Optional<Pattern> replyTo =
        value(replyKey, Pattern::compile, "must be a regular expression of mailboxes' names");
    require(MailboxSetting.URL, mailbox, "the mailbox service's URL is missing");
    require(MailboxSetting.TOKEN_FILE, mailbox, "the file with the capability is missing");
    return url.isEmpty() || token.isEmpty()
        ? Optional.empty()
        : Optional.of(new ServiceSettings(url.get(), token.get(), plain, streaming, replyTo));
  }

  /** The key that applies to a mailbox: its own if present, else the common one. */
  String given(MailboxSetting setting, String mailbox) {
    String own = setting.key(mailbox);
    return text(own).isPresent() ? own : setting.commonKey();
  }

  private void require(MailboxSetting setting, String mailbox, String problem) {
    if (text(given(setting, mailbox)).isEmpty()) {
      problems.add(setting.key(mailbox), problem + "; " + setting.commonKey() + " is for all");
    }
  }

  /**
   * Refuses keys that nothing reads. A system property or an environment variable may belong to
   * another application on the server: of these, only the setting must exist.
   *
   * @param known the keys that are read
   */
  void refuseUnknown(Set<String> known, Map<String, String> environment) {
    for (String key : config.getPropertyNames()) {
      boolean isOurs =
          MailboxSetting.variable(key).startsWith(MailboxSetting.variable(MailboxSetting.PREFIX));
      boolean isShared =
          System.getProperty(key) != null || environment.containsKey(MailboxSetting.variable(key));
      if (isOurs && !known.contains(key) && !(isShared && MailboxSetting.endsAny(key))) {
        problems.add(key, "is not a setting of a mailbox that this application uses");
      }
    }
  }

  private Optional<Integer> number(String key, int most) {
    return value(
        key,
        text -> {
          int number = Integer.parseInt(text);
          if (number < 1 || number > most) {
            throw new IllegalArgumentException();
          }
          return number;
        },
        "must be a whole number from 1 to " + most);
  }

  private Optional<Boolean> flag(String key) {
    return value(
        key,
        text -> {
          if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException();
          }
          return text.equals("true");
        },
        "must be true or false");
  }

  private Optional<Duration> duration(String key, Duration least, Duration most) {
    try {
      return text(key).map(text -> Amounts.duration(text, least, most));
    } catch (IllegalArgumentException e) {
      problems.add(key, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  /**
   * The value of a key; empty if it is missing, and empty with a problem if the parser refuses it.
   */
  private <V> Optional<V> value(String key, Function<String, V> parser, String problem) {
    try {
      return text(key).map(parser);
    } catch (IllegalArgumentException e) {
      problems.add(key, problem);
      return Optional.empty();
    }
  }

  private Optional<String> text(String key) {
    return config.getOptionalValue(key, String.class).map(String::strip);
  }
}
