package org.svcmailbox.core.settings;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The value of every setting, parsed and checked once. A refused text becomes a violation, and the
 * default replaces it until all violations are known.
 */
final class SettingValues {
  private final Function<String, Optional<String>> source;
  private final Deployment deployment;
  private final Map<Setting<?>, Object> values = new HashMap<>();
  private final List<String> violations = new ArrayList<>();

  /**
   * @param source empty for keys whose default applies
   * @param keys all keys of the source; those that begin with {@code mailbox.} must exist
   */
  SettingValues(Function<String, Optional<String>> source, Set<String> keys, int cores, long heap) {
    this.source = source;
    refuseUnknown(keys);
    parse(StoreSetting.AMNESIA, new Deployment(cores, heap, false));
    this.deployment = new Deployment(cores, heap, get(StoreSetting.AMNESIA));
    SettingTable.ALL.stream()
        .filter(setting -> setting != StoreSetting.AMNESIA)
        .forEach(setting -> parse(setting, deployment));
  }

  private void refuseUnknown(Set<String> keys) {
    keys.stream()
        .filter(key -> key.startsWith(Setting.PREFIX) && SettingTable.ofKey(key).isEmpty())
        .sorted()
        .forEach(key -> violation(key + " is not a setting"));
  }

  private <T> void parse(Setting<T> setting, Deployment on) {
    values.put(setting, given(setting).orElseGet(() -> setting.defaultOn(on)));
  }

  private <T> Optional<T> given(Setting<T> setting) {
    try {
      return source.apply(setting.key()).map(String::trim).map(setting.form()::parse);
    } catch (RefusedValueException e) {
      e.reasons().forEach(reason -> violation(setting.key() + " " + reason));
      return Optional.empty();
    }
  }

  @SuppressWarnings("unchecked") // parse() stores only a setting's own values.
  <T> T get(Setting<T> setting) {
    return (T) requireNonNull(values.get(setting), setting.key());
  }

  Deployment deployment() {
    return deployment;
  }

  /** Whether the source has a key that is not a setting's. */
  boolean isGiven(String key) {
    return source.apply(key).isPresent();
  }

  void violation(String text) {
    violations.add(text);
  }

  void ordered(Setting<Duration> low, Setting<Duration> high) {
    if (get(low).compareTo(get(high)) > 0) {
      violation(low.key() + " must not be greater than " + high.key());
    }
  }

  /** Refuses all values if there is a violation. */
  void check() {
    if (!violations.isEmpty()) {
      throw new SettingsException(violations);
    }
  }
}
