package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** A command that gives a topic settings. */
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

  /** Checks the form; the service knows names and values. */
  final void check() {
    settings.forEach(TopicSettingsCall::parsed);
  }

  private static Matcher parsed(String setting) {
    Matcher parts = SETTING.matcher(setting);
    if (!parts.matches()) {
      throw new UsageException("a setting is like max_attempts=3");
    }
    return parts;
  }

  /** The settings that have a value. */
  final ObjectNode values() {
    ObjectNode values = JsonLines.object();
    for (String setting : settings) {
      Matcher parts = parsed(setting);
      String value = parts.group(2);
      if (NUMBER.matcher(value).matches()) {
        values.put(parts.group(1), Long.parseLong(value));
      } else if (!value.isEmpty()) {
        values.put(parts.group(1), value);
      }
    }
    return values;
  }

  /** The names of those without a value; null if there are none. */
  final @Nullable String reset() {
    String names =
        settings.stream()
            .filter(setting -> setting.endsWith("="))
            .map(setting -> parsed(setting).group(1))
            .collect(Collectors.joining(","));
    return names.isEmpty() ? null : names;
  }
}
