package org.svcmailbox.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modules that stay and modules that go, in a server of a few. */
class PruningTest {
  private static final String EXTENSION = "META-INF/services/org.jboss.as.controller.Extension";

  @TempDir private Path home;

  @BeforeEach
  void layOut() throws IOException {
    for (String program : Set.of("org.jboss.as.standalone", "org.jboss.as.cli")) {
      module(program, "");
    }
    module("org.jboss.logmanager", "");
    write(
        home.resolve("standalone/configuration/standalone.xml"),
        "<server xmlns='urn:jboss:domain:20.0'><extensions><extension module='subsystem'/></extensions></server>");
    Jars.write(
        home.resolve("standalone/deployments/mailbox.ear"),
        "META-INF/jboss-deployment-structure.xml",
        "<jboss-deployment-structure xmlns='urn:jboss:deployment-structure:1.3'><deployment>"
            + "<exclusions><module name='excluded'/></exclusions>"
            + "<dependencies><module name='used.by.the.application'/></dependencies>"
            + "</deployment></jboss-deployment-structure>");
  }

  @Test
  void aModuleStaysThatTheConfigurationOrTheApplicationNames() throws IOException {
    module("subsystem", "");
    module("used.by.the.application", "");
    module("excluded", "");
    assertStay("subsystem", "used.by.the.application");
  }

  @Test
  void aModuleStaysThatAnotherOneRequires() throws IOException {
    module("subsystem", "<module name='alias'/>");
    write(
        directory("alias").resolve("module.xml"),
        "<module-alias xmlns='urn:jboss:module:1.9' name='alias' target-name='target'/>");
    module("target", "<module name='last' slot='special'/>");
    write(
        directory("last").resolveSibling("special").resolve("module.xml"),
        "<module xmlns='urn:jboss:module:1.9' name='last' slot='special'/>");
    module("last", "");
    assertStay("subsystem", "alias", "target", "last:special");
  }

  @Test
  void anOptionalModuleStaysIfItIsAskedForServices() throws IOException {
    module(
        "subsystem",
        "<module name='optional' optional='true'/>"
            + "<module name='asked' optional='true' services='import'/>"
            + "<module name='unused.by.us' optional='true' services='import'/>");
    module("optional", "");
    module("asked", "");
    module("unused.by.us", "");
    assertStay("subsystem", "asked");
  }

  @Test
  void aModuleStaysThatAClassNamesUnlessItIsUnusedOrAnotherSubsystem() throws IOException {
    module("subsystem", "");
    Jars.write(
        directory("subsystem").resolve("names.jar"),
        Map.of("NamesModules.class", Jars.classFile(NamesModules.class)));
    module("loaded.by.name", "");
    module("unused.by.us", "");
    module("subsystem.not.configured", "");
    Jars.write(directory("subsystem.not.configured").resolve("it.jar"), EXTENSION, "It");
    assertStay("subsystem", "loaded.by.name");
  }

  @Test
  void nothingIsLeftOfAModuleThatGoes() throws IOException {
    module("goes.deep", "");
    write(directory("goes.deep").resolve("lib/linux/library.so"), "");
    assertStay();
    assertTrue(Files.notExists(home.resolve("modules/system/layers/base/goes")));
  }

  private void module(String name, String dependencies) throws IOException {
    write(
        directory(name).resolve("module.xml"),
        "<module xmlns='urn:jboss:module:1.9' name='%s'><dependencies>%s</dependencies></module>"
            .formatted(name, dependencies));
  }

  private Path directory(String name) {
    return home.resolve("modules/system/layers/base/" + name.replace('.', '/') + "/main");
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  /** Beside the programs, which always do. */
  private void assertStay(String... expected) throws IOException {
    Path unused = home.resolve("unused.txt");
    write(unused, "# A comment.\n\nunused.by.us\n");
    Pruning.prune(home, unused);
    try (Stream<Path> files = Files.walk(home.resolve("modules"))) {
      Set<String> left =
          files
              .filter(file -> file.endsWith("module.xml"))
              .map(PruningTest::name)
              .filter(name -> !name.startsWith("org.jboss."))
              .collect(Collectors.toSet());
      assertEquals(Set.of(expected), left);
    }
  }

  private static String name(Path xml) {
    try {
      return ServerModule.read(xml).name();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
