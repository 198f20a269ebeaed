package org.svcmailbox.core.settings;

import static org.svcmailbox.core.settings.ClusterSetting.GROUPS;
import static org.svcmailbox.core.settings.ClusterSetting.LEAVE_DEADLINE;
import static org.svcmailbox.core.settings.ClusterSetting.NODE;
import static org.svcmailbox.core.settings.ClusterSetting.PATIENCE;
import static org.svcmailbox.core.settings.ClusterSetting.TRUST_STORE;
import static org.svcmailbox.core.settings.ClusterSetting.URL;

import java.net.URI;
import java.util.Optional;

/** Checks the settings of a cluster's node together, for {@link SettingsLoader}. */
final class ClusterReader {
  private final SettingValues values;

  ClusterReader(SettingValues values) {
    this.values = values;
  }

  Optional<MailboxSettings.Cluster> read() {
    Optional<String> node = values.get(NODE);
    Optional<URI> url = values.get(URL);
    if (node.isEmpty()) {
      requireNode(URL, url);
      requireNode(TRUST_STORE, values.get(TRUST_STORE));
      return Optional.empty();
    }
    if (url.isEmpty()) {
      values.violation(NODE.key() + " needs " + URL.key());
      return Optional.empty();
    }
    check();
    return Optional.of(
        new MailboxSettings.Cluster(
            node.get(),
            url.get(),
            values.get(GROUPS),
            values.get(LEAVE_DEADLINE),
            values.get(PATIENCE),
            values.get(TRUST_STORE)));
  }

  private void requireNode(Setting<?> setting, Optional<?> value) {
    if (value.isPresent()) {
      values.violation(setting.key() + " needs " + NODE.key());
    }
  }

  /** Refuses what only one process can do yet. */
  private void check() {
    if (values.get(BrokerSetting.URL).isEmpty()) {
      values.violation(
          "%s needs %s: the nodes share a broker".formatted(NODE.key(), BrokerSetting.URL.key()));
    }
    exclude(values.get(StoreSetting.AMNESIA), StoreSetting.AMNESIA, "no other node sees a memory");
    exclude(
        values.get(RendezvousSetting.ENABLED),
        RendezvousSetting.ENABLED,
        "its mailboxes are in one process");
    exclude(
        !values.get(StoreSetting.ACCEPT).isEmpty(),
        StoreSetting.ACCEPT,
        "a server that is alone compares all logs");
    exclude(
        values.get(ServiceSetting.TOPICS_AUTO_CREATE),
        ServiceSetting.TOPICS_AUTO_CREATE,
        "a SEND would wait until all nodes know the topic");
  }

  private void exclude(boolean isGiven, Setting<?> setting, String why) {
    if (isGiven) {
      values.violation("%s excludes %s: %s".formatted(NODE.key(), setting.key(), why));
    }
  }
}
