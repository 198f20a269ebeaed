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
 * The settings of this deployment. Environment variables and system properties come before the
 * file, the file before the defaults. A key nobody knows is refused wherever it stands, so that a
 * misspelt one is not a silent default.
 */
final class SettingsSource {
  private final Config config;
  private final Map<String, String> environment;

  SettingsSource(Config config, Map<String, String> environment) {
    this.config = config;
    this.environment = environment;
  }

  /**
   * Reads the settings.
   *
   * @throws org.svcmailbox.core.settings.SettingsException naming everything that is wrong
   */
  MailboxSettings load() {
    Map<String, String> file = SettingsFile.named(environment);
    return SettingsLoader.load(
        key -> value(key).or(() -> Optional.ofNullable(file.get(key))),
        keys(file),
        Runtime.getRuntime().availableProcessors());
  }

  private Optional<String> value(String key) {
    return config.getOptionalValue(key, String.class);
  }

  private Set<String> keys(Map<String, String> file) {
    Set<String> keys = new HashSet<>(file.keySet());
    for (ConfigSource source : config.getConfigSources()) {
      if (!isEnvironment(source)) {
        keys.addAll(source.getPropertyNames());
      }
    }
    keys.addAll(Variables.keys(environment.keySet()));
    return keys;
  }

  /** Its names are not keys, and what it guesses them to mean is not always one either. */
  private boolean isEnvironment(ConfigSource source) {
    return source.getOrdinal() == 300
        && source.getPropertyNames().stream().anyMatch(environment::containsKey);
  }
}
