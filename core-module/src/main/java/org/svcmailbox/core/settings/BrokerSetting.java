package org.svcmailbox.core.settings;

import java.nio.file.Path;
import java.util.Optional;

/** The settings of a broker in another process. */
public final class BrokerSetting {
  static final SettingGroup GROUP = new SettingGroup();

  public static final Setting<Optional<String>> URL =
      GROUP
          .text(
              "broker.url",
              "tcp://host:port or (tcp://host:port,tcp://host:port), then"
                  + " ?option=value&option=value")
          .orNone();

  public static final Setting<Optional<String>> USER = GROUP.text("broker.user", "text").orNone();

  public static final Setting<Optional<String>> PASSWORD =
      GROUP.text("broker.password", "text").orNone();

  public static final Setting<Optional<Path>> PASSWORD_FILE =
      GROUP.path("broker.password_file", "a file with nothing else in it").orNone();

  public static final Setting<Optional<Path>> TRUST_STORE =
      GROUP.path("broker.trust_store", "a .p12 or .pem file").orNone();

  public static final Setting<Optional<String>> TRUST_STORE_PASSWORD =
      GROUP.text("broker.trust_store_password", "text").orNone();

  public static final Setting<Optional<Path>> KEY_STORE =
      GROUP.path("broker.key_store", "a .p12 or .pem file").orNone();

  public static final Setting<Optional<String>> KEY_STORE_PASSWORD =
      GROUP.text("broker.key_store_password", "text").orNone();

  public static final Setting<Optional<Path>> KEY_STORE_PASSWORD_FILE =
      GROUP.path("broker.key_store_password_file", "a file with nothing else in it").orNone();

  private BrokerSetting() {}
}
