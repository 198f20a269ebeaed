package org.svcmailbox.ejb.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.settings.SettingsException;

/** The TOML file named by {@code MAILBOX_CONFIG_FILE}: the same keys as everywhere, dotted. */
final class SettingsFile {
  private SettingsFile() {}

  /**
   * Every value of the file under its dotted key.
   *
   * @throws SettingsException when it cannot be read
   */
  static Map<String, String> read(Path file) {
    try {
      Map<String, String> values = new HashMap<>();
      flatten("", new TomlMapper().readTree(file.toFile()), values);
      return values;
    } catch (IOException e) {
      throw new SettingsException(
          List.of("MAILBOX_CONFIG_FILE " + file + " cannot be read: " + e.getMessage()));
    }
  }

  private static void flatten(String prefix, JsonNode node, Map<String, String> values) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              entry ->
                  flatten(
                      prefix.isEmpty() ? entry.getKey() : prefix + "." + entry.getKey(),
                      entry.getValue(),
                      values));
    } else {
      values.put(prefix, node.asText());
    }
  }
}
