package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The start scripts read each secret from a file; stubs stand for the JVM and the server. */
@SuppressWarnings("NullAway.Init")
class SecretFilesTest {
  private static final Path CONFIG = Path.of("..", "config");
  private static final String SECRET = "s3cr et$HOME";

  @TempDir private Path directory;

  /** The service's secrets without a setting for a file, and the server's. */
  static Stream<String> secrets() throws IOException {
    String table = Files.readString(Path.of("..", "..", "docs", "SETTINGS.md"));
    TreeSet<String> secrets =
        Pattern.compile("(?m)^\\|.*; secret \\| `(MAILBOX_\\w+)` \\|$")
            .matcher(table)
            .results()
            .map(match -> match.group(1))
            .filter(name -> !table.contains("`" + name + "_FILE` |"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(4, secrets.size(), secrets::toString);
    return Stream.concat(
        secrets.stream(), Stream.of("MAILBOX_DB_PASSWORD", "MAILBOX_TLS_PASSWORD"));
  }

  @BeforeEach
  void layOut() throws IOException {
    for (String name : List.of("mailbox", "data-lock.sh")) {
      write("bin/" + name, Files.readString(CONFIG.resolve("bin").resolve(name)));
    }
    write("bin/standalone.sh", "#!/bin/sh\nenv\n");
    write("jdk/bin/java", "#!/bin/sh\n");
    write("secret", SECRET + "\n");
  }

  private void write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertTrue(file.toFile().setExecutable(true));
  }

  private String start(int code, Map<String, String> more) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sh", directory.resolve("bin/mailbox").toString());
    builder.environment().keySet().removeIf(name -> name.startsWith("MAILBOX_"));
    builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    builder.environment().put("MAILBOX_DATA_DIR", directory.resolve("data").toString());
    builder.environment().putAll(more);
    return Scripts.said(builder, code);
  }

  private Map<String, String> fromFile(String secret) {
    Map<String, String> variables = new TreeMap<>();
    variables.put(secret + "_FILE", directory.resolve("secret").toString());
    if (secret.startsWith("MAILBOX_TLS_")) {
      variables.put("MAILBOX_TLS_KEYSTORE", directory.resolve("secret").toString());
    }
    return variables;
  }

  @ParameterizedTest
  @MethodSource("secrets")
  void aSecretIsReadFromAFile(String secret) throws IOException {
    List<String> environment = start(0, fromFile(secret)).lines().toList();
    assertTrue(environment.contains(secret + "=" + SECRET), environment::toString);
    assertFalse(environment.stream().anyMatch(line -> line.startsWith(secret + "_FILE=")));
  }

  @ParameterizedTest
  @MethodSource("secrets")
  void aSecretIsGivenOnce(String secret) throws IOException {
    Map<String, String> variables = fromFile(secret);
    variables.put(secret, "other");
    assertEquals(
        "mailbox: " + secret + " and " + secret + "_FILE exclude each other\n",
        start(1, variables));
  }

  @Test
  void aFileThatCannotBeReadEndsTheStart() throws IOException {
    String said = start(1, Map.of("MAILBOX_DB_PASSWORD_FILE", "/nowhere"));
    assertTrue(said.endsWith("mailbox: MAILBOX_DB_PASSWORD_FILE=/nowhere cannot be read\n"), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bin/mailbox", "liberty/bin/mailbox"})
  void bothServersReadTheSameSecrets(String script) throws IOException {
    List<MatchResult> loops =
        Pattern.compile("(?s)\nfor secret in ([^;]*);")
            .matcher(Files.readString(CONFIG.resolve(script)))
            .results()
            .toList();
    assertEquals(1, loops.size());
    assertEquals(
        secrets().map(name -> name.replace("MAILBOX_", "")).collect(Collectors.toSet()),
        Stream.of(loops.get(0).group(1).split("[\\s\\\\]+")).collect(Collectors.toSet()));
  }

  @Test
  void aDatabaseServerHasNoPasswordByDefault() throws IOException {
    String said = start(1, Map.of("MAILBOX_DB_DRIVER", "postgresql"));
    assertTrue(
        said.endsWith(
            "mailbox: MAILBOX_DB_DRIVER=postgresql needs MAILBOX_DB_PASSWORD or"
                + " MAILBOX_DB_PASSWORD_FILE\n"),
        said);
    Map<String, String> variables = fromFile("MAILBOX_DB_PASSWORD");
    variables.put("MAILBOX_DB_DRIVER", "postgresql");
    assertTrue(start(0, variables).contains("MAILBOX_DB_PASSWORD=" + SECRET));
    String liberty = Files.readString(CONFIG.resolve("liberty/bin/mailbox"));
    assertTrue(liberty.contains("needs MAILBOX_DB_PASSWORD or"), liberty);
  }
}
