package org.svcmailbox.ejb.settings;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;

/** The settings before the server starts, read in the server's way. */
public final class StartSettings {
  private static final Pattern PROPERTY = Pattern.compile("-D(mailbox\\.[^=]+)=(.*)");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private final Map<String, String> environment;
  private final Map<String, String> properties = new HashMap<>();

  private StartSettings(Map<String, String> environment, List<String> arguments) {
    this.environment = environment;
    Stream.concat(
            BLANKS.splitAsStream(environment.getOrDefault("MAILBOX_JAVA_OPTS", "")),
            arguments.stream())
        .map(PROPERTY::matcher)
        .filter(Matcher::matches)
        .forEach(form -> properties.put(form.group(1), form.group(2)));
  }

  /**
   * Loads all settings.
   *
   * @param arguments the server's; their system properties override the environment
   * @throws org.svcmailbox.core.settings.SettingsException with all violations
   */
  public static MailboxSettings load(Map<String, String> environment, List<String> arguments) {
    return new StartSettings(environment, arguments).load();
  }

  private MailboxSettings load() {
    Map<String, String> file = SettingsFile.named(environment);
    Set<String> keys = new HashSet<>(file.keySet());
    keys.addAll(properties.keySet());
    keys.addAll(Variables.keys(environment));
    return SettingsLoader.load(
        key -> given(key).or(() -> Optional.ofNullable(file.get(key))),
        keys,
        Runtime.getRuntime().availableProcessors(),
        Long.MAX_VALUE);
  }

  /** Empty means absent, as in MicroProfile Config. */
  private Optional<String> given(String key) {
    String property = properties.get(key);
    return Optional.ofNullable(property != null ? property : environment.get(Variables.of(key)))
        .filter(value -> !value.isEmpty() && Variables.isSetting(key, value));
  }
}
