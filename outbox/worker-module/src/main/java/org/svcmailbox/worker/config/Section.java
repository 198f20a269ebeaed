package org.svcmailbox.worker.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.amount.Amounts;

/**
 * A table of a TOML file, overridden by the environment: a variable replaces its setting's value.
 * An invalid value becomes a violation, and the default replaces it.
 */
final class Section {
  private final String path;
  private final JsonNode table;
  private final WorkerVariables variables;
  private final Violations violations;
  private final Set<String> names;
  private final Set<String> known = new LinkedHashSet<>();

  /**
   * A whole file.
   *
   * @param path the beginning of its violations
   * @param variables the variables that can override its values
   */
  Section(String path, JsonNode table, WorkerVariables variables, Violations violations) {
    this(path, table, variables, violations, new LinkedHashSet<>());
  }

  private Section(
      String path,
      JsonNode table,
      WorkerVariables variables,
      Violations violations,
      Set<String> names) {
    this.names = names;
    this.path = path;
    this.table = table;
    this.variables = variables;
    this.violations = violations;
  }

  /** A sub-table; empty if it is missing. */
  Section section(String key) {
    known.add(key);
    JsonNode value = table.path(key);
    boolean isTable = value.isObject() || value.isMissingNode();
    violations.require(isTable, path + key, "is not a table");
    return new Section(
        path + key + ".",
        isTable ? value : MissingNode.getInstance(),
        variables,
        violations,
        names);
  }

  /** The tables of an array. Environment variables cannot override them. */
  List<Section> sections(String key) {
    known.add(key);
    List<Section> sections = new ArrayList<>();
    for (JsonNode element : table.path(key)) {
      sections.add(
          new Section(
              path + key + "[" + sections.size() + "].",
              element,
              WorkerVariables.NONE,
              violations,
              names));
    }
    return sections;
  }

  /** The full name of a value, for violations. */
  String name(String key) {
    return path + key;
  }

  private JsonNode value(String key) {
    known.add(key);
    names.add(name(key));
    String variable = variables.value(name(key));
    return variable == null ? table.path(key) : TextNode.valueOf(variable);
  }

  /** A text; null if it is missing. */
  @Nullable String text(String key) {
    JsonNode value = value(key);
    violations.require(
        value.isMissingNode() || value.isTextual(), name(key), "is a string in quotes");
    return value.textValue();
  }

  String text(String key, String otherwise) {
    String text = text(key);
    return text == null ? otherwise : text;
  }

  /** A required text; {@code ""} if it is missing. */
  String required(String key) {
    String text = text(key);
    violations.require(text != null && !text.isBlank(), name(key), "is missing");
    return text == null ? "" : text;
  }

  /** One of several words. */
  String word(String key, String... words) {
    String word = text(key, words[0]);
    boolean isKnown = Arrays.asList(words).contains(word);
    violations.require(isKnown, name(key), "is " + String.join(" or ", words) + ", not " + word);
    return isKnown ? word : words[0];
  }

  boolean flag(String key, boolean otherwise) {
    JsonNode value = value(key);
    if (value.isBoolean() || value.isMissingNode()) {
      return value.asBoolean(otherwise);
    }
    String text = value.asText();
    boolean isFlag = value.isTextual() && (text.equals("true") || text.equals("false"));
    violations.require(isFlag, name(key), "is true or false");
    return isFlag ? text.equals("true") : otherwise;
  }

  int integer(String key, int otherwise, int min, int max) {
    JsonNode value = value(key);
    if (value.isMissingNode()) {
      return otherwise;
    }
    String text = value.asText();
    if (text.matches("-?[0-9]{1,9}")) {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    }
    violations.add(name(key), "is a number from " + min + " to " + max + ", not " + text);
    return otherwise;
  }

  Duration duration(String key, Duration otherwise, Duration min, Duration max) {
    String text = text(key);
    if (text == null) {
      return otherwise;
    }
    try {
      return Amounts.duration(text, min, max);
    } catch (IllegalArgumentException e) {
      violations.add(name(key), String.valueOf(e.getMessage()));
      return otherwise;
    }
  }

  /** A size in bytes; null if it is missing. */
  @Nullable Long bytes(String key, long max) {
    String text = text(key);
    if (text == null) {
      return null;
    }
    try {
      long bytes = Amounts.bytes(text);
      violations.require(
          bytes >= 1 && bytes <= max, name(key), "is from 1B to " + max + "B, not " + text);
      return bytes;
    } catch (IllegalArgumentException e) {
      violations.add(name(key), String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** A list of texts, separated by commas in the environment. */
  List<String> list(String key) {
    JsonNode value = value(key);
    if (value.isTextual()) {
      return Arrays.stream(value.asText().split(",", -1))
          .map(String::strip)
          .filter(Predicate.not(String::isEmpty))
          .toList();
    }
    boolean isList =
        value.isMissingNode()
            || (value.isArray()
                && StreamSupport.stream(value.spliterator(), false).allMatch(JsonNode::isTextual));
    violations.require(isList, name(key), "is a list of strings");
    return isList
        ? StreamSupport.stream(value.spliterator(), false).map(JsonNode::asText).toList()
        : List.of();
  }

  /** An HTTP address; null if it is missing or invalid. */
  @Nullable URI http(String key) {
    String text = text(key);
    if (text == null) {
      return null;
    }
    try {
      URI uri = new URI(text);
      if (uri.getHost() != null && String.valueOf(uri.getScheme()).matches("https?")) {
        return uri;
      }
    } catch (URISyntaxException e) {
      violations.add(name(key), "is no address: " + e.getReason());
      return null;
    }
    violations.add(name(key), "is an address such as http://127.0.0.1:8000/handle");
    return null;
  }

  /** Reports unknown keys. Call it after reading all values. */
  void finish() {
    table
        .fieldNames()
        .forEachRemaining(
            key -> violations.require(known.contains(key), name(key), "is no setting"));
  }

  /** The names of all values that were read. */
  Set<String> names() {
    return Collections.unmodifiableSet(names);
  }
}
