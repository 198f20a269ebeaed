package org.svcmailbox.core.settings;

import java.util.List;
import java.util.Optional;

/** The settings of database and broker as a pair. */
public final class StoreSetting {
  static final SettingGroup GROUP = new SettingGroup();

  public static final Setting<Optional<String>> JOIN =
      GROUP.text("store.join", "what a refused start says").orNone();

  public static final Setting<List<String>> ACCEPT =
      GROUP
          .list("accept", "what a refused start says, several with commas", StoreSetting::codes)
          .byDefault("none");

  public static final Setting<Boolean> AMNESIA = GROUP.flag("amnesia").byDefault(false);

  public static final Setting<Integer> AMNESIA_MAX_BYTES =
      GROUP.size("amnesia_max_bytes").from(1_048_576).to(1_073_741_824).byDefault(268_435_456);

  private StoreSetting() {}

  private static List<String> codes(List<String> elements) {
    return elements.stream().map(String::strip).filter(code -> !code.isEmpty()).toList();
  }
}
