package org.svcmailbox.ejb.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.svcmailbox.core.settings.Setting;
import org.svcmailbox.core.settings.SettingsException;

/** The TOML file {@code MAILBOX_CONFIG_FILE}, with the same dotted keys as everywhere. */
final class SettingsFile {
  static final String VARIABLE = "MAILBOX_CONFIG_FILE";

  /** How every source writes an empty list. */
  private static final String NONE = "none";

  private SettingsFile() {}

  /**
   * All values of the file; empty when none is configured. Throws {@link SettingsException} when
   * the file cannot be read.
   */
  static Map<String, String> named(Map<String, String> environment) {
    String name = environment.get(VARIABLE);
    return name == null ? Map.of() : read(Path.of(name));
  }

  /**
   * All values by dotted key; arrays are joined with commas. Throws {@link SettingsException} when
   * the file cannot be read.
   */
  static Map<String, String> read(Path file) {
    try {
      Map<String, String> values = new HashMap<>();
      flatten("", new TomlMapper().readTree(file.toFile()), values);
      return values.entrySet().stream()
          .collect(Collectors.toMap(entry -> own(entry.getKey()), Map.Entry::getValue));
    } catch (IOException e) {
      throw new SettingsException(
          List.of(VARIABLE + " " + file + " cannot be read: " + e.getMessage()));
    }
  }

  /** Renames a key without the prefix, so that the loader refuses it. */
  private static String own(String key) {
    return key.startsWith(Setting.PREFIX) ? key : Setting.PREFIX + "config_file: " + key;
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
    } else if (node.isArray()) {
      elements(prefix, node, values);
    } else {
      values.put(prefix, node.asText());
    }
  }

  /** Arrays of tables have no setting; their keys are made up to be refused. */
  private static void elements(String key, JsonNode array, Map<String, String> values) {
    boolean isPlain = stream(array).allMatch(JsonNode::isValueNode);
    if (isPlain) {
      String all = stream(array).map(JsonNode::asText).collect(Collectors.joining(","));
      values.put(key, array.isEmpty() ? NONE : all);
    } else {
      values.put(key + "[]", "");
    }
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
