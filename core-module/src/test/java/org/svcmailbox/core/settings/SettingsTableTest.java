package org.svcmailbox.core.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The documented table of settings matches the loader's. */
class SettingsTableTest {
  private static final Path DOCUMENT =
      Path.of(System.getProperty("basedir", "."), "..", "docs", "SETTINGS.md");

  private static final String BEGINNING = "| `" + Setting.PREFIX;

  private static final Pattern ROW =
      Pattern.compile("\\| `([^`]+)` \\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\| `([^`]+)` \\|");

  private record Row(String key, String byDefault, String bounds, String meaning, String variable) {
    static Row of(String line) {
      Matcher row = ROW.matcher(line);
      assertTrue(row.matches(), () -> "not a row of key, default, bounds, meaning: " + line);
      return new Row(row.group(1), row.group(2), row.group(3), row.group(4), row.group(5));
    }
  }

  private final List<Row> rows = new ArrayList<>();

  SettingsTableTest() throws IOException {
    for (String line : Files.readAllLines(DOCUMENT)) {
      if (line.startsWith(BEGINNING)) {
        rows.add(Row.of(line));
      }
    }
  }

  @Test
  void everySettingHasOneRowAndEveryRowIsASetting() {
    List<String> keys = SettingTable.ALL.stream().map(Setting::key).toList();
    assertEquals(keys, rows.stream().map(Row::key).toList());
  }

  @ParameterizedTest
  @FieldSource("org.svcmailbox.core.settings.SettingTable#ALL")
  void aRowSaysWhatTheLoaderDoes(Setting<?> setting) {
    Row row = row(setting);
    assertEquals(setting.byDefault(), row.byDefault());
    assertEquals(setting.bounds(), row.bounds());
    assertEquals(
        setting.key().replace('.', '_').toUpperCase(Locale.ROOT), row.variable(), "variable");
    assertFalse(row.meaning().isBlank());
  }

  private Row row(Setting<?> setting) {
    return rows.stream().filter(row -> row.key().equals(setting.key())).findFirst().orElseThrow();
  }
}
