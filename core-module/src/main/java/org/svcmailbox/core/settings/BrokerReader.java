package org.svcmailbox.core.settings;

import static org.svcmailbox.core.settings.BrokerSetting.KEY_STORE;
import static org.svcmailbox.core.settings.BrokerSetting.KEY_STORE_PASSWORD;
import static org.svcmailbox.core.settings.BrokerSetting.KEY_STORE_PASSWORD_FILE;
import static org.svcmailbox.core.settings.BrokerSetting.PASSWORD;
import static org.svcmailbox.core.settings.BrokerSetting.PASSWORD_FILE;
import static org.svcmailbox.core.settings.BrokerSetting.TRUST_STORE;
import static org.svcmailbox.core.settings.BrokerSetting.TRUST_STORE_PASSWORD;
import static org.svcmailbox.core.settings.BrokerSetting.URL;
import static org.svcmailbox.core.settings.BrokerSetting.USER;
import static org.svcmailbox.core.settings.StoreSetting.AMNESIA;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.core.settings.BrokerSettings.Secret;
import org.svcmailbox.core.settings.BrokerSettings.Store;

/**
 * Reads the settings of a broker in another process for {@link SettingsLoader}. Artemis' client
 * ignores unknown options, and may then connect without TLS, so this refuses them.
 */
final class BrokerReader {
  static final int MAX_BROKERS = 8;

  private static final String ONE = "tcp://(?:[A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+\\]):\\d{1,5}";
  private static final Pattern FORM =
      Pattern.compile("(%1$s|\\(%1$s(?:,%1$s)*\\))(?:\\?(.*))?".formatted(ONE));
  private static final Pattern PORT = Pattern.compile(":(\\d+)(?=[,)]|$)");
  private static final int MAX_PORT = 65_535;

  private static final Pattern FLAG = Pattern.compile("true|false");
  private static final Pattern MILLIS = Pattern.compile("[1-9]\\d{2,4}");
  private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9._,-]+");
  private static final String WITH_TLS = "sslEnabled";

  /** The options of Artemis' client that this service leaves to operators. */
  private static final Map<String, Pattern> OPTIONS =
      Map.of(
          "ha",
          FLAG,
          WITH_TLS,
          FLAG,
          "verifyHost",
          FLAG,
          "sniHost",
          NAMES,
          "enabledProtocols",
          NAMES,
          "enabledCipherSuites",
          NAMES,
          "connect-timeout-millis",
          MILLIS,
          "callTimeout",
          MILLIS,
          "connectionTTL",
          MILLIS,
          "clientFailureCheckPeriod",
          MILLIS);

  private static final List<Setting<? extends Optional<?>>> NEED_URL =
      List.of(
          USER,
          PASSWORD,
          PASSWORD_FILE,
          TRUST_STORE,
          TRUST_STORE_PASSWORD,
          KEY_STORE,
          KEY_STORE_PASSWORD,
          KEY_STORE_PASSWORD_FILE);

  private final SettingValues values;

  BrokerReader(SettingValues values) {
    this.values = values;
  }

  Optional<BrokerSettings> read() {
    Optional<String> url = values.get(URL);
    if (url.isEmpty()) {
      NEED_URL.stream()
          .filter(setting -> values.get(setting).isPresent())
          .forEach(setting -> values.violation(setting.key() + " needs " + URL.key()));
    }
    return url.map(this::broker);
  }

  private BrokerSettings broker(String url) {
    boolean hasTls = checkUrl(url);
    BrokerSettings broker =
        new BrokerSettings(
            url,
            values.get(USER),
            secret(PASSWORD, PASSWORD_FILE),
            store(
                TRUST_STORE,
                values
                    .get(TRUST_STORE_PASSWORD)
                    .map(text -> new Secret(Optional.of(text), Optional.empty()))),
            store(KEY_STORE, secret(KEY_STORE_PASSWORD, KEY_STORE_PASSWORD_FILE)));
    checkIdentity(broker);
    if (!hasTls && (broker.trust().isPresent() || broker.key().isPresent())) {
      values.violation(
          "%s and %s need sslEnabled=true in %s"
              .formatted(TRUST_STORE.key(), KEY_STORE.key(), URL.key()));
    }
    if (values.get(AMNESIA)) {
      values.violation(
          "%s excludes %s: the broker would keep messages".formatted(AMNESIA.key(), URL.key()));
    }
    return broker;
  }

  private void checkIdentity(BrokerSettings broker) {
    if (broker.user().isPresent() != broker.password().isPresent()) {
      values.violation(
          "%s and %s or %s are given together"
              .formatted(USER.key(), PASSWORD.key(), PASSWORD_FILE.key()));
    }
    if (broker.user().isEmpty() && broker.key().isEmpty()) {
      values.violation("%s needs %s or %s".formatted(URL.key(), USER.key(), KEY_STORE.key()));
    }
  }

  /** Returns whether the connection has TLS. Violations do not repeat values. */
  private boolean checkUrl(String url) {
    Matcher form = FORM.matcher(url);
    if (!form.matches() || !hasPorts(form.group(1))) {
      values.violation(URL.key() + " must be " + URL.bounds());
      return false;
    }
    if (form.group(1).split(",", -1).length > MAX_BROKERS) {
      values.violation(URL.key() + " has more than " + MAX_BROKERS + " brokers");
    }
    Map<String, String> options = options(form.group(2) == null ? "" : form.group(2));
    return "true".equals(options.get(WITH_TLS));
  }

  private static boolean hasPorts(String brokers) {
    return PORT.matcher(brokers)
        .results()
        .mapToInt(port -> Integer.parseInt(port.group(1)))
        .allMatch(port -> port >= 1 && port <= MAX_PORT);
  }

  private Map<String, String> options(String text) {
    Map<String, String> options = new HashMap<>();
    for (String option : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      String[] parts = option.split("=", 2);
      Pattern form = OPTIONS.get(parts[0]);
      if (form == null) {
        values.violation(
            "%s has the option %s, which is none of %s"
                .formatted(URL.key(), parts[0], String.join(", ", known())));
      } else if (parts.length < 2
          || !form.matcher(parts[1]).matches()
          || options.put(parts[0], parts[1]) != null) {
        values.violation(URL.key() + " has a wrong or repeated value of " + parts[0]);
      }
    }
    return options;
  }

  private static List<String> known() {
    return OPTIONS.keySet().stream().sorted().toList();
  }

  private Optional<Secret> secret(Setting<Optional<String>> text, Setting<Optional<Path>> file) {
    Optional<String> given = values.get(text);
    Optional<Path> path = values.get(file);
    if (given.isPresent() && path.isPresent()) {
      values.violation(text.key() + " and " + file.key() + " exclude each other");
    }
    return given.isEmpty() && path.isEmpty()
        ? Optional.empty()
        : Optional.of(new Secret(given, path));
  }

  private Optional<Store> store(Setting<Optional<Path>> setting, Optional<Secret> password) {
    Optional<Path> file = values.get(setting);
    if (file.isPresent() && !file.get().toString().matches(".*\\.(p12|pem)")) {
      values.violation(setting.key() + " must be " + setting.bounds());
    }
    if (file.isEmpty() && password.isPresent()) {
      values.violation("The password of " + setting.key() + " is given without it");
    }
    return file.map(path -> new Store(path, password));
  }
}
