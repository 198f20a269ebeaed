package org.svcmailbox.ejb.settings;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.Setting;
import org.svcmailbox.core.settings.SettingsLoader;

/**
 * The settings of this deployment. Environment variables and system properties come before the
 * file, the file before the defaults. A key nobody knows is refused wherever it stands, so that a
 * misspelt one is not a silent default.
 */
final class SettingsSource {
  /** Environment variables that configure the server rather than the service. */
  private static final Set<String> OF_THE_SERVER =
      Set.of(
          "MAILBOX_BIND",
          "MAILBOX_PORT_OFFSET",
          "MAILBOX_LOG_FORMAT",
          "MAILBOX_TRACING",
          "MAILBOX_TLS_KEYSTORE",
          "MAILBOX_TLS_PASSWORD",
          "MAILBOX_TLS_PASSWORD_FILE",
          "MAILBOX_JAVA_OPTS",
          "MAILBOX_DATA_DIR",
          "MAILBOX_LOG_DIR",
          "MAILBOX_CONFIG_FILE",
          "MAILBOX_DB_DRIVER",
          "MAILBOX_DB_URL",
          "MAILBOX_DB_USER",
          "MAILBOX_DB_PASSWORD");

  private static final String ENVIRONMENT_PREFIX = "MAILBOX_";

  /** What Kubernetes puts into the environment for a service that is called "mailbox". */
  private static final Pattern OF_THE_PLATFORM =
      Pattern.compile("MAILBOX_SERVICE_(HOST|PORT.*)|MAILBOX_PORT(_\\d+_.*)?");

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
    Map<String, String> file =
        Optional.ofNullable(environment.get("MAILBOX_CONFIG_FILE"))
            .map(name -> SettingsFile.read(Path.of(name)))
            .orElse(Map.of());
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
    environment.keySet().stream()
        .filter(name -> name.startsWith(ENVIRONMENT_PREFIX) && !OF_THE_SERVER.contains(name))
        .filter(name -> !OF_THE_PLATFORM.matcher(name).matches())
        .map(SettingsSource::keyOf)
        .forEach(keys::add);
    return keys;
  }

  /** Its names are not keys, and what it guesses them to mean is not always one either. */
  private boolean isEnvironment(ConfigSource source) {
    return source.getOrdinal() == 300
        && source.getPropertyNames().stream().anyMatch(environment::containsKey);
  }

  /** The key that an environment variable sets; for one that sets none, a key that is refused. */
  private static String keyOf(String variable) {
    for (Setting setting : Setting.values()) {
      String name = setting.key().replace('.', '_').toUpperCase(Locale.ROOT);
      if (name.equals(variable)) {
        return setting.key();
      }
    }
    return Setting.PREFIX
        + variable.substring(ENVIRONMENT_PREFIX.length()).toLowerCase(Locale.ROOT);
  }
}
