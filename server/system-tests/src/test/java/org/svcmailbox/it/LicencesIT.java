package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.server.BuiltDistribution;

/** The licence of each part is beside it, in each archive and in Open Liberty's layout. */
class LicencesIT {
  /**
   * Beginnings of the names of Liberty's libraries that are under Apache-2.0, as the service is.
   */
  private static final List<String> APACHE =
      List.of(
          "artemis-",
          "byte-buddy-",
          "classmate-",
          "jandex-",
          "jboss-logging-",
          "jose4j-",
          "sqlite-");

  @Test
  void theServersArchiveHasTheLicenceOfEachPart() throws IOException {
    assertLicensed(BuiltDistribution.built());
    try (FileSystem zip = FileSystems.newFileSystem(BuiltDistribution.built().zip())) {
      Path home = zip.getPath(BuiltDistribution.built().name());
      assertTrue(licenceFiles(home).containsAll(Set.of("hibernate", "fonts")));
    }
  }

  @Test
  void theCommandLinesArchiveHasTheLicenceOfEachPart() throws IOException {
    assertLicensed(new BuiltDistribution(Path.of(System.getProperty("mailbox.cli"))));
  }

  @Test
  void openLibertysLayoutHasTheLicenceOfEachLibrary() throws IOException {
    Path home = Path.of(System.getProperty("mailbox.liberty.home"));
    assertTrue(Files.exists(home.resolve("LICENSE")));
    Set<String> missing = new TreeSet<>();
    for (String directory : List.of("application", "drivers")) {
      try (Stream<Path> jars = Files.list(home.resolve("usr/servers/mailbox/lib/" + directory))) {
        for (Path jar : jars.toList()) {
          String name = jar.getFileName().toString();
          if (APACHE.stream().noneMatch(name::startsWith) && !isBegun(name, licenceFiles(home))) {
            missing.add(name);
          }
        }
      }
    }
    assertEquals(Set.of(), missing);
  }

  private static void assertLicensed(BuiltDistribution built) throws IOException {
    try (FileSystem zip = FileSystems.newFileSystem(built.zip())) {
      Path home = zip.getPath(built.name());
      assertTrue(Files.exists(home.resolve("LICENSE")));
      JsonNode parts =
          new ObjectMapper()
              .readTree(Files.readAllBytes(home.resolve("sbom.json")))
              .path("components");
      assertFalse(parts.isEmpty());
      Set<String> files = licenceFiles(home);
      Set<String> missing = new TreeSet<>();
      for (JsonNode part : parts) {
        JsonNode licences = part.path("licenses");
        if (!isBegun(part.path("name").asText(), files) && !isThere(home, licences)) {
          missing.add(part.path("purl").asText() + " " + licences);
        }
      }
      assertEquals(Set.of(), missing);
    }
  }

  /** One of several may be chosen. */
  private static boolean isThere(Path home, JsonNode licences) {
    return licences.findValuesAsText("id").contains("Apache-2.0")
        || licences.findValuesAsText("value").stream()
            .anyMatch(text -> Files.exists(home.resolve(text)));
  }

  private static boolean isBegun(String name, Set<String> files) {
    return files.stream().anyMatch(name::startsWith);
  }

  /** Their names, without the ending. */
  private static Set<String> licenceFiles(Path home) throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(home.resolve("licenses"))) {
      files.forEach(file -> names.add(file.getFileName().toString().replaceFirst("\\.txt$", "")));
    }
    return names;
  }
}
