package org.svcmailbox.ejb.settings;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;

/**
 * Reads environment variables and system properties first, then the file, then defaults. Unknown
 * keys are refused everywhere, so that a misspelt one never becomes a silent default.
 */
final class SettingsSource {
  private final Config config;
  private final Map<String, String> environment;

  SettingsSource(Config config, Map<String, String> environment) {
    this.config = config;
    this.environment = environment;
  }

  /** Throws {@link org.svcmailbox.core.settings.SettingsException} with all violations. */
  MailboxSettings load() {
    Map<String, String> file = SettingsFile.named(environment);
    return SettingsLoader.load(
        key -> value(key).or(() -> Optional.ofNullable(file.get(key))),
        keys(file),
        Runtime.getRuntime().availableProcessors());
  }

  private Optional<String> value(String key) {
    return config
        .getOptionalValue(key, String.class)
        .filter(value -> Variables.isSetting(key, value));
  }

  private Set<String> keys(Map<String, String> file) {
    Set<String> keys = new HashSet<>(file.keySet());
    for (ConfigSource source : config.getConfigSources()) {
      if (!isEnvironment(source)) {
        keys.addAll(source.getPropertyNames());
      }
    }
    keys.addAll(Variables.keys(environment));
    return keys;
  }

  /** Its property names are variables, not keys; the keys it derives are not always right. */
  private boolean isEnvironment(ConfigSource source) {
    return source.getOrdinal() == 300
        && source.getPropertyNames().stream().anyMatch(environment::containsKey);
  }
}
