package org.svcmailbox.core.settings;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All settings in the documented order: the one list for the loader, the check for unknown keys and
 * the documented table.
 */
public final class SettingTable {
  public static final List<Setting<?>> ALL =
      Stream.of(
              ServiceSetting.GROUP,
              ConsoleSetting.GROUP,
              StoreSetting.GROUP,
              BrokerSetting.GROUP,
              ClusterSetting.GROUP,
              GrpcSetting.GROUP,
              RendezvousSetting.GROUP)
          .<Setting<?>>flatMap(group -> group.settings().stream())
          .toList();

  private SettingTable() {}

  public static Optional<Setting<?>> ofKey(String key) {
    return ALL.stream().filter(setting -> setting.key().equals(key)).findFirst();
  }
}
