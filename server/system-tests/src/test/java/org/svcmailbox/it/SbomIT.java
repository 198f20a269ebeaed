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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
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
          "org.svcmailbox:grpc-module",
          "org.svcmailbox:web-module",
          "org.svcmailbox:console-module",
          "org.svcmailbox:rendezvous-module",
          "org.svcmailbox:mailbox-broker",
          "org.svcmailbox:mailbox-guard");

  /** Ours, the drivers, and the copies of the EAR's libraries that the start script reads. */
  private static final Pattern OURS =
      Pattern.compile("artemis/lib/|lib/settings/|modules/org/(svcmailbox|xerial|postgresql)/");

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
    Set<String> libraries = librariesOfTheEar();
    Set<String> expected = new TreeSet<>(libraries);
    components()
        .filter(part -> AROUND_THE_EAR.contains(name(part)) || MODULES.contains(name(part)))
        .forEach(part -> expected.add(fileName(part)));
    assertEquals(
        expected,
        components()
            .filter(part -> places(part).isEmpty() || libraries.contains(fileName(part)))
            .map(SbomIT::fileName)
            .collect(Collectors.toSet()));
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

  @Test
  void itNamesEachJarOfTheServerAndNoOther() throws IOException {
    Set<String> expected = new TreeSet<>();
    try (Stream<Path> files = Files.walk(home)) {
      files
          .map(file -> home.relativize(file).toString())
          .filter(file -> file.endsWith(".jar") && !OURS.matcher(file).lookingAt())
          .forEach(expected::add);
    }
    assertTrue(expected.size() > 300, expected::toString);
    Set<String> named = new TreeSet<>();
    components().forEach(part -> named.addAll(places(part)));
    assertEquals(expected, named);
    for (String family :
        List.of("undertow-core", "artemis-server", "netty-common", "resteasy-core")) {
      assertTrue(named.stream().anyMatch(place -> place.contains("/" + family)), family);
    }
  }

  @Test
  void theJarsOfTheServerAreTheOnesThatItNames() throws IOException {
    for (JsonNode part : components().toList()) {
      for (String place : places(part)) {
        assertEquals(sha256(name(part), part), digest(home.resolve(place)), place);
      }
    }
  }

  @Test
  void eachVulnerabilityIsJudgedForAPartThatShips() throws IOException {
    JsonNode vex = new ObjectMapper().readTree(Files.readAllBytes(home.resolve("vex.json")));
    Set<String> parts =
        components().map(part -> part.path("bom-ref").asText()).collect(Collectors.toSet());
    assertFalse(vex.path("vulnerabilities").isEmpty());
    for (JsonNode one : vex.path("vulnerabilities")) {
      assertFalse(one.path("analysis").path("detail").asText().isEmpty(), one::toString);
      assertFalse(one.path("affects").isEmpty(), one::toString);
      assertEquals(Set.of(), missing(Set.copyOf(one.findValuesAsText("ref")), parts));
    }
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

  /** Where in the server it is; empty for what is in the EAR alone. */
  private static List<String> places(JsonNode part) {
    return part.path("evidence").path("occurrences").findValuesAsText("location");
  }

  private static Set<String> missing(Set<String> expected, Set<String> actual) {
    return expected.stream().filter(name -> !actual.contains(name)).collect(Collectors.toSet());
  }

  private static String sha256(String part) {
    return sha256(
        part, components().filter(one -> name(one).equals(part)).findFirst().orElseThrow());
  }

  private static String sha256(String part, JsonNode component) {
    return StreamSupport.stream(component.path("hashes").spliterator(), false)
        .filter(hash -> hash.path("alg").asText().equals("SHA-256"))
        .map(hash -> hash.path("content").asText())
        .findFirst()
        .orElseThrow(() -> new AssertionError(part));
  }

  private static String sha256(Path module) throws IOException {
    try (Stream<Path> files = Files.walk(module)) {
      return digest(
          files.filter(file -> file.toString().endsWith(".jar")).findFirst().orElseThrow());
    }
  }

  private static String digest(Path jar) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
