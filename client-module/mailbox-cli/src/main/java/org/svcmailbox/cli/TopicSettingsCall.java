package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** A command that sets settings of a topic. */
abstract class TopicSettingsCall extends TopicCall {
  private static final Pattern SETTING = Pattern.compile("([a-z_]+)=(.*)");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  @Parameters(
      index = "1..*",
      paramLabel = "NAME=VALUE",
      description = "Such as max_attempts=3 or retention_dlq=30d; NAME= for the service's.")
  private List<String> settings = List.of();

  final boolean givesNothing() {
    return settings.isEmpty();
  }

  /** The settings with a value. The service checks names and values. */
  final ObjectNode values() {
    ObjectNode values = JsonOutput.object();
    parsed()
        .forEach(
            (name, value) -> {
              if (NUMBER.matcher(value).matches()) {
                values.put(name, Long.parseLong(value));
              } else if (!value.isEmpty()) {
                values.put(name, value);
              }
            });
    return values;
  }

  /** The names of settings to reset; null if there are none. */
  final @Nullable String reset() {
    Map<String, String> parsed = parsed();
    parsed.values().removeIf(value -> !value.isEmpty());
    return parsed.isEmpty() ? null : String.join(",", parsed.keySet());
  }

  private Map<String, String> parsed() {
    Map<String, String> parsed = new LinkedHashMap<>();
    for (String setting : settings) {
      Matcher parts = SETTING.matcher(setting);
      if (!parts.matches()) {
        throw new UsageException("a setting is like max_attempts=3");
      }
      parsed.put(parts.group(1), parts.group(2));
    }
    return parsed;
  }
}
