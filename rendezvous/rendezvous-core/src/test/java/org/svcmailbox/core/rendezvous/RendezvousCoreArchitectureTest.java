package org.svcmailbox.core.rendezvous;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class RendezvousCoreArchitectureTest {
  private static final String CORE = "org.svcmailbox.core.";

  private static final JavaClasses CLASSES = ModuleRules.mainClasses(CORE + "rendezvous");

  /** The packages in their order: each may use those named beside it, and no other of the core. */
  private static final Map<String, Set<String>> ORDER =
      Map.of(
          "rendezvous",
          Set.of("audit", "capability.caveat", "capability", "time"),
          "rendezvous.mailbox",
          Set.of("settings", "time", "rendezvous"),
          "rendezvous.access",
          Set.of(
              "problem",
              "audit",
              "rate",
              "capability.caveat",
              "capability",
              "settings",
              "time",
              "rendezvous"),
          "rendezvous.door",
          Set.of(
              "problem",
              "metrics",
              "capability",
              "settings",
              "time",
              "bounds",
              "rendezvous",
              "rendezvous.mailbox",
              "rendezvous.access"));

  private static final ArchRule KNOWS_NO_CONTAINER =
      ModuleRules.portable(
          CORE + "rendezvous",
          "jakarta..",
          "java.sql..",
          "javax.sql..",
          "org.eclipse.microprofile..",
          "org.apache.activemq..",
          "com.fasterxml.jackson..",
          "org.svcmailbox.ejb..",
          "org.svcmailbox.web..");

  private static final ArchRule NO_CYCLES =
      slices().matching(CORE + "(**)").should().beFreeOfCycles();

  @TempDir private Path directory;

  @Test
  void theDoorKnowsNoContainer() {
    KNOWS_NO_CONTAINER.check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jakarta.ejb.Stateless", "javax.sql.DataSource", "io.undertow.Undertow"})
  void aDoorThatKnowsAContainerIsReported(String type) {
    Planted.dependency(CORE + "rendezvous.Culprit", type).breaks(KNOWS_NO_CONTAINER, directory);
  }

  @ParameterizedTest
  @MethodSource("packages")
  void packagesKeepTheirOrder(String name) {
    order(name).check(CLASSES);
  }

  static Stream<String> packages() {
    return ORDER.keySet().stream().sorted();
  }

  @Test
  void everyPackageIsInTheOrder() {
    Set<String> found =
        CLASSES.stream()
            .map(type -> type.getPackageName().substring(CORE.length()))
            .collect(Collectors.toSet());
    assertEquals(ORDER.keySet(), found);
  }

  @ParameterizedTest
  @CsvSource({
    "rendezvous, worker",
    "rendezvous, rendezvous.mailbox",
    "rendezvous.mailbox, rendezvous.access",
    "rendezvous.access, rendezvous.door",
    "rendezvous.door, mailbox"
  })
  void aPackageThatUsesALaterOneIsReported(String earlier, String later) {
    Planted.dependency(CORE + earlier + ".Culprit", CORE + later + ".Target")
        .breaks(order(earlier), directory);
  }

  @Test
  void packagesHaveNoCycles() {
    NO_CYCLES.check(CLASSES);
  }

  @Test
  void aCycleIsReported() {
    Planted.dependency(CORE + "rendezvous.One", CORE + "rendezvous.mailbox.Two")
        .and(CORE + "rendezvous.mailbox.Two", CORE + "rendezvous.One")
        .breaks(NO_CYCLES, directory);
  }

  private static ArchRule order(String name) {
    Set<String> used = ORDER.getOrDefault(name, Set.of());
    return classes()
        .that()
        .resideInAPackage(CORE + name)
        .should()
        .onlyDependOnClassesThat(
            describe(
                "are outside of the core, or of " + used,
                type -> {
                  String other = type.getPackageName();
                  return !other.startsWith(CORE)
                      || other.equals(CORE + name)
                      || used.contains(other.substring(CORE.length()));
                }));
  }
}
