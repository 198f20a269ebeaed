package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.server.BuiltDistribution;

/** The list of parts that goes with the distribution, against what is in it. */
class SbomIT {
  /**
   * The server, the database drivers that are modules of it, and what the console has files of, but
   * not as a library.
   */
  private static final Set<String> AROUND_THE_EAR =
      Set.of(
          "org.wildfly:wildfly-dist",
          "org.xerial:sqlite-jdbc",
          "org.postgresql:postgresql",
          "org.webjars.npm:patternfly__patternfly");

  /** Packed into the EAR under names of their own. */
  private static final Set<String> MODULES =
      Set.of(
          "org.svcmailbox:ejb-module",
          "org.svcmailbox:web-module",
          "org.svcmailbox:console-module",
          "org.svcmailbox:rendezvous-module",
          "org.svcmailbox:mailbox-broker",
          "org.svcmailbox:mailbox-guard");

  private static FileSystem zip;
  private static Path home;
  private static JsonNode sbom;

  @BeforeAll
  static void open() throws IOException {
    zip = FileSystems.newFileSystem(BuiltDistribution.built().zip());
    home = zip.getPath(BuiltDistribution.built().name());
    sbom = new ObjectMapper().readTree(Files.readAllBytes(home.resolve("sbom.json")));
  }

  @AfterAll
  static void close() throws IOException {
    zip.close();
  }

  @Test
  void itIsACycloneDxDocumentOfThisVersion() {
    assertEquals("CycloneDX", sbom.path("bomFormat").asText());
    JsonNode subject = sbom.path("metadata").path("component");
    assertEquals("org.svcmailbox:ear", name(subject));
    assertEquals(
        BuiltDistribution.built().name(), "mailbox-server-" + subject.path("version").asText());
  }

  @Test
  void itNamesTheLibrariesOfTheEarAndWhatIsAroundItAndNothingElse() throws IOException {
    Set<String> expected = new TreeSet<>(librariesOfTheEar());
    components()
        .filter(part -> AROUND_THE_EAR.contains(name(part)) || MODULES.contains(name(part)))
        .forEach(part -> expected.add(fileName(part)));
    assertEquals(expected, components().map(SbomIT::fileName).collect(Collectors.toSet()));
    Set<String> names = components().map(SbomIT::name).collect(Collectors.toSet());
    assertEquals(Set.of(), missing(AROUND_THE_EAR, names));
    assertEquals(Set.of(), missing(MODULES, names));
  }

  @Test
  void eachPartHasADigestUnlessItIsOurOwn() {
    components()
        .filter(part -> !part.path("group").asText().equals("org.svcmailbox"))
        .forEach(part -> assertFalse(part.path("hashes").isEmpty(), () -> name(part)));
  }

  /** The driver is in the server under a name without its version: compared by content. */
  @Test
  void theDriversAreTheOnesInTheServer() throws IOException {
    assertEquals(
        sha256("org.xerial:sqlite-jdbc"), sha256(home.resolve("modules/org/xerial/sqlite")));
    assertEquals(
        sha256("org.postgresql:postgresql"), sha256(home.resolve("modules/org/postgresql")));
  }

  private static Set<String> librariesOfTheEar() throws IOException {
    Path ear = home.resolve("standalone/deployments/mailbox.ear");
    try (FileSystem inside = FileSystems.newFileSystem(ear);
        Stream<Path> libraries = Files.list(inside.getPath("lib"))) {
      return libraries
          .map(library -> library.getFileName().toString())
          .filter(name -> name.endsWith(".jar"))
          .collect(Collectors.toSet());
    }
  }

  private static Stream<JsonNode> components() {
    return StreamSupport.stream(sbom.path("components").spliterator(), false);
  }

  private static String name(JsonNode part) {
    return part.path("group").asText() + ":" + part.path("name").asText();
  }

  /** How the EAR calls it. */
  private static String fileName(JsonNode part) {
    return name(part).replace(':', '-') + "-" + part.path("version").asText() + ".jar";
  }

  private static Set<String> missing(Set<String> expected, Set<String> actual) {
    return expected.stream().filter(name -> !actual.contains(name)).collect(Collectors.toSet());
  }

  private static String sha256(String part) {
    JsonNode component =
        components().filter(one -> name(one).equals(part)).findFirst().orElseThrow();
    return StreamSupport.stream(component.path("hashes").spliterator(), false)
        .filter(hash -> hash.path("alg").asText().equals("SHA-256"))
        .map(hash -> hash.path("content").asText())
        .findFirst()
        .orElseThrow();
  }

  private static String sha256(Path module) throws IOException {
    try (Stream<Path> files = Files.walk(module)) {
      Path jar = files.filter(file -> file.toString().endsWith(".jar")).findFirst().orElseThrow();
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
