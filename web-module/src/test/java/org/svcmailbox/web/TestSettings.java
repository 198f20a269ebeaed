package org.svcmailbox.web;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;

/** Settings for tests: the defaults with a small frame. */
public final class TestSettings {
  /** Bytes. */
  public static final int MAX_FRAME = 10_000;

  public static final MailboxSettings SETTINGS =
      SettingsLoader.load(
          key -> key.equals("mailbox.max_frame") ? Optional.of("" + MAX_FRAME) : Optional.empty(),
          Set.of(),
          2);

  private TestSettings() {}

  /** As above, with some others. */
  static MailboxSettings with(Map<String, String> more) {
    return SettingsLoader.load(key -> Optional.ofNullable(more.get(key)), Set.of(), 2);
  }
}
