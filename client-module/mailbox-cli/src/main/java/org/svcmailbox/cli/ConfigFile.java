package org.svcmailbox.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration file, {@code svcmailbox/config.toml} in {@code $XDG_CONFIG_HOME} or else in
 * {@code ~/.config}.
 *
 * @param url the service
 * @param tokenFile the file with the capability; a relative path starts from the configuration
 *     file's directory
 * @param allowPlainHttp whether the token may be sent without TLS
 */
record ConfigFile(Optional<String> url, Optional<Path> tokenFile, boolean allowPlainHttp) {
  private static final ConfigFile NONE = new ConfigFile(Optional.empty(), Optional.empty(), false);
  private static final String URL = "url";
  private static final String TOKEN_FILE = "token_file";
  private static final String ALLOW_PLAIN_HTTP = "allow_plain_http";
  private static final Set<String> KEYS = Set.of(URL, TOKEN_FILE, ALLOW_PLAIN_HTTP);

  /**
   * Reads the file.
   *
   * @return no values if there is no such file
   * @throws UsageException if it cannot be read or contains anything else
   */
  static ConfigFile read(Surroundings surroundings) {
    Optional<Path> file = place(surroundings).filter(Files::exists);
    return file.isPresent() ? read(file.get()) : NONE;
  }

  /** The path of the file; empty without a home directory. */
  static Optional<Path> place(Surroundings surroundings) {
    Path configured = Path.of(surroundings.variable("XDG_CONFIG_HOME"));
    Path home = Path.of(surroundings.variable("HOME"));
    // The XDG specification says to ignore relative paths.
    Path base = configured.isAbsolute() ? configured : home.resolve(".config");
    return base.isAbsolute()
        ? Optional.of(base.resolve("svcmailbox").resolve("config.toml"))
        : Optional.empty();
  }

  private static ConfigFile read(Path file) {
    JsonNode values = parse(file);
    for (Iterator<String> keys = values.fieldNames(); keys.hasNext(); ) {
      String key = keys.next();
      if (!KEYS.contains(key)) {
        throw new UsageException(file + " has an unknown key: " + key);
      }
    }
    return new ConfigFile(
        text(file, values, URL),
        text(file, values, TOKEN_FILE).map(path -> file.resolveSibling(path)),
        flag(file, values));
  }

  private static JsonNode parse(Path file) {
    try {
      return new TomlMapper().readTree(Files.readAllBytes(file));
    } catch (JsonProcessingException e) {
      // Without the exception's message, which quotes the line.
      throw new UsageException(file + " is no TOML in line " + e.getLocation().getLineNr());
    } catch (IOException e) {
      throw new UsageException(file + " cannot be read", e);
    }
  }

  private static Optional<String> text(Path file, JsonNode values, String key) {
    JsonNode value = values.path(key);
    if (!value.isMissingNode() && !value.isTextual()) {
      throw new UsageException(file + ": " + key + " is a string");
    }
    return Optional.ofNullable(value.textValue());
  }

  private static boolean flag(Path file, JsonNode values) {
    JsonNode value = values.path(ALLOW_PLAIN_HTTP);
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw new UsageException(file + ": " + ALLOW_PLAIN_HTTP + " is true or false");
    }
    return value.asBoolean();
  }
}
