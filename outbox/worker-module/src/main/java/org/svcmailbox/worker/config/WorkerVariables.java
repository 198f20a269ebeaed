package org.svcmailbox.worker.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.environment.ServiceVariables;

/**
 * The environment variables of settings: {@code MAILBOX_WORKER_DATABASE_URL} is {@code
 * database.url}. {@code SEA_MQ_DATABASE_URL} is its older name; the newer one takes precedence.
 */
final class WorkerVariables {
  /** The prefixes; the first one takes precedence. */
  static final List<String> PREFIXES = List.of("MAILBOX_WORKER_", "SEA_MQ_");

  static final WorkerVariables NONE = new WorkerVariables(Map.of());

  private static final String CONFIG = "config";

  private final Map<String, String> environment;

  WorkerVariables(Map<String, String> environment) {
    this.environment = ServiceVariables.without(environment);
  }

  /** The variable that names {@code worker.toml}; null if it is not set. */
  @Nullable String config() {
    return value(CONFIG);
  }

  /** The value of a setting's variable; null if none is set. */
  @Nullable String value(String setting) {
    for (String prefix : PREFIXES) {
      String value = environment.get(prefix + suffix(setting));
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  /** The name of a setting's variable. */
  static String of(String setting) {
    return PREFIXES.get(0) + suffix(setting);
  }

  private static String suffix(String setting) {
    return setting.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /** Reports variables that have a prefix of settings but name none. */
  void requireKnown(Set<String> settings, Violations violations) {
    Map<String, String> unknown = new TreeMap<>(environment);
    unknown.keySet().removeIf(name -> PREFIXES.stream().noneMatch(name::startsWith));
    for (String prefix : PREFIXES) {
      unknown.remove(prefix + suffix(CONFIG));
      settings.forEach(setting -> unknown.remove(prefix + suffix(setting)));
    }
    unknown.keySet().forEach(name -> violations.add(name, "is the variable of no setting"));
  }
}
