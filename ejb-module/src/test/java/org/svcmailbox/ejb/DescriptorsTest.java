package org.svcmailbox.ejb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The descriptors name only what every Jakarta EE server has. */
class DescriptorsTest {
  private static final Path DIRECTORY = Path.of("src/main/resources/META-INF");

  /** The names that Jakarta EE defines begin with one of these. */
  private static final Pattern FOREIGN = Pattern.compile("java:(?!comp/|module/|app/|global/)\\S*");

  private static List<String> foreignNames(String text) {
    return FOREIGN.matcher(text).results().map(found -> found.group()).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ejb-jar.xml", "persistence.xml"})
  void aDescriptorNamesNothingOfOneServer(String name) throws IOException {
    String text = Files.readString(DIRECTORY.resolve(name), UTF_8);
    assertTrue(text.contains("java:comp/DefaultDataSource"));
    assertEquals(List.of(), foreignNames(text));
  }

  @Test
  void aNameOfWildFlyIsReported() {
    assertEquals(
        List.of("java:jboss/datasources/MailboxDS", "java:/ConnectionFactory"),
        foreignNames("java:jboss/datasources/MailboxDS java:comp/env java:/ConnectionFactory"));
  }
}
