package org.svcmailbox.ejb.settings;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.svcmailbox.core.settings.Setting;
import org.svcmailbox.core.settings.SettingTable;
import org.svcmailbox.environment.ServiceVariables;

/** Maps settings to environment variables as MicroProfile Config does. */
final class Variables {
  /** Variables that configure the server, not the service. */
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
          "MAILBOX_LIBERTY_XML",
          "MAILBOX_DATA_DIR",
          "MAILBOX_LOG_DIR",
          "MAILBOX_CONFIG_FILE",
          "MAILBOX_DB_DRIVER",
          "MAILBOX_DB_URL",
          "MAILBOX_DB_USER",
          "MAILBOX_DB_PASSWORD");

  private static final String PREFIX = "MAILBOX_";

  /** Variables of the command line, of clients and of workers, which may share a shell. */
  private static final Pattern OF_CLIENTS =
      Pattern.compile("MAILBOX_(URL|TOKEN_FILE|CLI_.*|WORKER_.*)");

  private Variables() {}

  static String of(String key) {
    return key.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /** Whether a value that was found for a key is a setting, and not a variable of the platform. */
  static boolean isSetting(String key, String value) {
    return !ServiceVariables.isOne(of(key), value);
  }

  /**
   * The keys that variables set. Unknown variables get a key that is refused, so that a misspelt
   * one never becomes a silent default.
   */
  static Set<String> keys(Map<String, String> environment) {
    return ServiceVariables.without(environment).keySet().stream()
        .filter(name -> name.startsWith(PREFIX) && !OF_THE_SERVER.contains(name))
        .filter(name -> !OF_CLIENTS.matcher(name).matches())
        .map(Variables::keyOf)
        .collect(Collectors.toSet());
  }

  private static String keyOf(String variable) {
    return SettingTable.ALL.stream()
        .map(Setting::key)
        .filter(key -> of(key).equals(variable))
        .findFirst()
        .orElseGet(
            () -> Setting.PREFIX + variable.substring(PREFIX.length()).toLowerCase(Locale.ROOT));
  }
}
