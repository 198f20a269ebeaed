package org.svcmailbox.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of parts of a server of three jars, one of which is a library of the EAR too. */
class SbomTest {
  private static final String MODULES = "modules/system/layers/base/";
  private static final String CODEC =
      "pkg:maven/io.netty/netty-codec@4.1.130?classifier=linux-x86_64&type=jar";

  @TempDir private Path home;
  private Path sbom;

  @BeforeEach
  void layOut() throws IOException {
    sbom = home.resolve("sbom.json");
    Files.writeString(
        sbom,
        """
        {"bomFormat":"CycloneDX","components":[
          {"bom-ref":"wildfly","name":"wildfly-dist","purl":"pkg:maven/org.wildfly/wildfly-dist@39?type=pom"},
          {"bom-ref":"jackson","name":"jackson","purl":"pkg:maven/com.fasterxml/jackson@2?type=jar"}],
         "dependencies":[{"ref":"pkg:maven/org.wildfly/wildfly-dist@39?type=pom","dependsOn":[]}]}
        """);
    Files.createDirectories(home.resolve("docs/licenses"));
    Files.writeString(
        home.resolve("docs/licenses/licenses.xml"),
        "<licenseSummary><dependencies>"
            + part("com.fasterxml", "jackson", "2", "Apache License 2.0")
            + part("io.netty", "netty-codec", "4.1.130", "A licence without a number")
            + part("io.netty", "netty-codec", "4.1.130", "A licence without a number")
            + part("org.jboss.modules", "jboss-modules", "2.1", "Apache License 2.0")
            + "</dependencies></licenseSummary>");
    for (String licence : List.of("apache license 2.0.txt", "a licence without a number.html")) {
      Files.writeString(home.resolve("docs/licenses/" + licence), "");
    }
    jar("jboss-modules.jar");
    jar(MODULES + "jackson/main/jackson-2.jar");
    jar(MODULES + "io/netty/main/netty-codec-4.1.130-linux-x86_64.jar");
    jar("modules/org/svcmailbox/guard/main/mailbox-guard.jar");
  }

  @Test
  void eachJarHasAComponentThatSaysWhereItIs() throws IOException {
    JsonNode completed = complete();
    assertEquals(
        List.of(
            MODULES + "jackson/main/jackson-2.jar",
            MODULES + "io/netty/main/netty-codec-4.1.130-linux-x86_64.jar",
            "jboss-modules.jar"),
        completed.findValuesAsText("location"));
    JsonNode codec = component(completed, CODEC);
    assertEquals("4.1.130", codec.path("version").asText());
    JsonNode licence = codec.path("licenses").path(0).path("license");
    assertEquals("A licence without a number", licence.path("name").asText());
    assertEquals(
        List.of("docs/licenses/a licence without a number.html"),
        licence.findValuesAsText("value"));
    assertEquals(64, codec.path("hashes").path(0).path("content").asText().length());
    JsonNode modules =
        component(completed, "pkg:maven/org.jboss.modules/jboss-modules@2.1?type=jar");
    assertEquals(List.of("Apache-2.0"), modules.findValuesAsText("id"));
  }

  @Test
  void theServerDependsOnItsJars() throws IOException {
    List<String> parts = new ArrayList<>();
    complete()
        .path("dependencies")
        .path(0)
        .path("dependsOn")
        .forEach(one -> parts.add(one.asText()));
    assertEquals(3, parts.size());
    assertTrue(parts.containsAll(List.of("jackson", CODEC)), parts::toString);
  }

  @Test
  void completingItAgainChangesNothing() throws IOException {
    JsonNode once = complete();
    assertEquals(once, complete());
  }

  @Test
  void aJarThatIsNoPartOfWildFlyFailsTheBuild() throws IOException {
    jar(MODULES + "strange/main/strange-1.jar");
    assertThrows(IllegalStateException.class, this::complete);
  }

  @Test
  void aLicenceWithoutATextFailsTheBuild() throws IOException {
    Files.delete(home.resolve("docs/licenses/a licence without a number.html"));
    assertThrows(IllegalStateException.class, this::complete);
  }

  private JsonNode complete() throws IOException {
    Sbom.complete(home, sbom);
    return new ObjectMapper().readTree(sbom.toFile());
  }

  private static JsonNode component(JsonNode sbom, String purl) {
    for (JsonNode one : sbom.path("components")) {
      if (one.path("purl").asText().equals(purl)) {
        return one;
      }
    }
    throw new AssertionError(purl + " is missing from " + sbom);
  }

  private void jar(String path) throws IOException {
    Jars.write(home.resolve(path), "file", path);
  }

  private static String part(String group, String name, String version, String licence) {
    return """
        <dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>
          <licenses><license><name>%s</name><url>https://licence</url></license></licenses>
        </dependency>
        """
        .formatted(group, name, version, licence);
  }
}
