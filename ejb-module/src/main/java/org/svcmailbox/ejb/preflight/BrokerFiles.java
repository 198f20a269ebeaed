package org.svcmailbox.ejb.preflight;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.settings.BrokerSetting;
import org.svcmailbox.core.settings.BrokerSettings;
import org.svcmailbox.core.settings.BrokerSettings.Secret;
import org.svcmailbox.core.settings.BrokerSettings.Store;
import org.svcmailbox.core.settings.Setting;

/** Checks before the start that the files in a broker's settings are readable. */
final class BrokerFiles {
  private BrokerFiles() {}

  /** Files that cannot be read, one line each. */
  static List<String> violations(BrokerSettings broker) {
    return files(broker).entrySet().stream()
        .filter(file -> !Files.isRegularFile(file.getValue()) || !Files.isReadable(file.getValue()))
        .map(file -> file.getKey().key() + " " + file.getValue() + " cannot be read")
        .toList();
  }

  private static Map<Setting<?>, Path> files(BrokerSettings broker) {
    Map<Setting<?>, Path> files = new LinkedHashMap<>();
    broker
        .password()
        .flatMap(Secret::file)
        .ifPresent(file -> files.put(BrokerSetting.PASSWORD_FILE, file));
    broker.trust().map(Store::file).ifPresent(file -> files.put(BrokerSetting.TRUST_STORE, file));
    Optional<Store> key = broker.key();
    key.map(Store::file).ifPresent(file -> files.put(BrokerSetting.KEY_STORE, file));
    key.flatMap(Store::password)
        .flatMap(Secret::file)
        .ifPresent(file -> files.put(BrokerSetting.KEY_STORE_PASSWORD_FILE, file));
    return files;
  }
}
