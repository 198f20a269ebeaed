package org.svcmailbox.core.settings;

import static org.svcmailbox.core.settings.Setting.BACKOFF_BASE;
import static org.svcmailbox.core.settings.Setting.BACKOFF_MAX;
import static org.svcmailbox.core.settings.Setting.DEDUP_CAPACITY;
import static org.svcmailbox.core.settings.Setting.DEFAULT_VISIBILITY;
import static org.svcmailbox.core.settings.Setting.DRAIN_DEADLINE;
import static org.svcmailbox.core.settings.Setting.GLOBAL_INFLIGHT;
import static org.svcmailbox.core.settings.Setting.MAX_ATTEMPTS;
import static org.svcmailbox.core.settings.Setting.MAX_FRAME;
import static org.svcmailbox.core.settings.Setting.MAX_WAITING;
import static org.svcmailbox.core.settings.Setting.READY_SHARDS;
import static org.svcmailbox.core.settings.Setting.RETENTION_DLQ;
import static org.svcmailbox.core.settings.Setting.RETENTION_LEDGER;
import static org.svcmailbox.core.settings.Setting.RETENTION_READY;
import static org.svcmailbox.core.settings.Setting.SHARD_CAPACITY;
import static org.svcmailbox.core.settings.Setting.TOPICS_AUTO_CREATE;
import static org.svcmailbox.core.settings.Setting.TOPICS_MAX;
import static org.svcmailbox.core.settings.Setting.T_REPLAY;
import static org.svcmailbox.core.settings.Setting.VISIBILITY_MAX;
import static org.svcmailbox.core.settings.Setting.VISIBILITY_MIN;
import static org.svcmailbox.core.settings.Setting.WORKERS;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.svcmailbox.core.settings.MailboxSettings.Topics;
import org.svcmailbox.core.settings.MailboxSettings.Visibility;

/** Reads the settings once, gathers everything that is wrong with them, and reports it together. */
public final class SettingsLoader {
  private final Function<String, Optional<String>> source;
  private final int cores;
  private final List<String> violations = new ArrayList<>();

  private SettingsLoader(Function<String, Optional<String>> source, int cores) {
    this.source = source;
    this.cores = cores;
  }

  /**
   * The settings a source gives.
   *
   * @param source a key's value, empty where the default holds
   * @param keys every key the source has; those that begin with {@code mailbox.} must exist
   * @param cores processors of this machine
   * @throws SettingsException naming the key of every violation
   */
  public static MailboxSettings load(
      Function<String, Optional<String>> source, Set<String> keys, int cores) {
    SettingsLoader loader = new SettingsLoader(source, cores);
    loader.refuseUnknown(keys);
    MailboxSettings settings = loader.read();
    if (!loader.violations.isEmpty()) {
      throw new SettingsException(loader.violations);
    }
    return settings;
  }

  private void refuseUnknown(Set<String> keys) {
    keys.stream()
        .filter(key -> key.startsWith(Setting.PREFIX) && Setting.ofKey(key).isEmpty())
        .sorted()
        .forEach(key -> violations.add(key + " is not a setting"));
  }

  private MailboxSettings read() {
    Visibility visibility = new Visibility(duration(VISIBILITY_MIN), duration(VISIBILITY_MAX));
    TopicSettings defaults = topicDefaults();
    ordered(VISIBILITY_MIN, visibility.min(), DEFAULT_VISIBILITY, defaults.defaultVisibility());
    ordered(DEFAULT_VISIBILITY, defaults.defaultVisibility(), VISIBILITY_MAX, visibility.max());
    ordered(BACKOFF_BASE, defaults.backoffBase(), BACKOFF_MAX, defaults.backoffMax());
    return new MailboxSettings(
        count(WORKERS),
        count(GLOBAL_INFLIGHT),
        count(DEDUP_CAPACITY),
        count(MAX_FRAME),
        count(MAX_WAITING),
        duration(RETENTION_LEDGER),
        duration(DRAIN_DEADLINE),
        visibility,
        new Topics(flag(TOPICS_AUTO_CREATE), count(TOPICS_MAX)),
        defaults);
  }

  private TopicSettings topicDefaults() {
    return new TopicSettings(
        count(READY_SHARDS),
        count(SHARD_CAPACITY),
        duration(T_REPLAY),
        count(MAX_ATTEMPTS),
        duration(DEFAULT_VISIBILITY),
        duration(BACKOFF_BASE),
        duration(BACKOFF_MAX),
        duration(RETENTION_READY),
        duration(RETENTION_DLQ));
  }

  private int count(Setting setting) {
    int least = Integer.parseInt(setting.least());
    int most = Integer.parseInt(setting.most());
    try {
      int value = Integer.parseInt(text(setting));
      if (value >= least && value <= most) {
        return value;
      }
      outOfRange(setting);
    } catch (NumberFormatException e) {
      violations.add(setting.key() + " must be a whole number");
    }
    return least;
  }

  private Duration duration(Setting setting) {
    Duration least = Durations.parse(setting.least());
    Duration most = Durations.parse(setting.most());
    try {
      Duration value = Durations.parse(text(setting));
      if (value.compareTo(least) >= 0 && value.compareTo(most) <= 0) {
        return value;
      }
      outOfRange(setting);
    } catch (IllegalArgumentException e) {
      violations.add(setting.key() + " is " + e.getMessage());
    }
    return Durations.parse(setting.byDefault());
  }

  private boolean flag(Setting setting) {
    String value = text(setting);
    if (!value.equals("true") && !value.equals("false")) {
      violations.add(setting.key() + " must be true or false");
    }
    return value.equals("true");
  }

  private String text(Setting setting) {
    String byDefault = setting == WORKERS ? workersByDefault() : setting.byDefault();
    return source.apply(setting.key()).map(String::trim).orElse(byDefault);
  }

  private String workersByDefault() {
    return Integer.toString(Math.min(cores, Integer.parseInt(WORKERS.most())));
  }

  private void outOfRange(Setting setting) {
    violations.add(
        setting.key() + " must be between " + setting.least() + " and " + setting.most());
  }

  private void ordered(Setting low, Duration lower, Setting high, Duration higher) {
    if (lower.compareTo(higher) > 0) {
      violations.add(low.key() + " must not be greater than " + high.key());
    }
  }
}
