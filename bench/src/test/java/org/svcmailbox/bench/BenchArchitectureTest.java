package org.svcmailbox.bench;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class BenchArchitectureTest {
  private static final String ROOT = "org.svcmailbox.bench";
  private static final String BENCH = ROOT + ".";
  private static final long MOST_CLASSES = 20;

  private static final JavaClasses CLASSES = ModuleRules.mainClasses(ROOT);

  /** The packages that scenarios share: each may use the earlier ones. */
  private static final List<String> SHARED =
      List.of("figure", "machine", "http", "load", "options", "contestant", "report");

  /** A scenario may use all shared packages and no other scenario. */
  private static final List<String> SCENARIOS =
      List.of(
          "capacity",
          "client",
          "compare",
          "latency",
          "outbox",
          "rendezvous",
          "soak",
          "speed",
          "start",
          "stream");

  private static final ArchRule NO_CYCLES =
      slices().matching(BENCH + "(*)..").should().beFreeOfCycles();

  @TempDir private Path directory;

  @Test
  void packagesKeepTheirOrder() {
    order().ensureAllClassesAreContainedInArchitecture().check(CLASSES);
  }

  @ParameterizedTest
  @CsvSource({
    "figure, machine",
    "machine, http",
    "http, load",
    "load, options",
    "options, contestant",
    "contestant, report",
    "report, compare",
    "figure, report"
  })
  void aPackageThatUsesALaterOneIsReported(String earlier, String later) {
    Planted.dependency(BENCH + earlier + ".Culprit", BENCH + later + ".Target")
        .breaks(order(), directory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"figure", "report", "speed"})
  void aPackageThatUsesTheMainClassIsReported(String name) {
    Planted.dependency(BENCH + name + ".Culprit", BENCH + "Target").breaks(order(), directory);
  }

  @ParameterizedTest
  @CsvSource({"start, latency", "latency, start", "client, rendezvous", "speed, compare"})
  void aScenarioThatUsesAnotherIsReported(String one, String other) {
    Planted.dependency(BENCH + one + ".Culprit", BENCH + other + ".Target")
        .breaks(order(), directory);
  }

  @Test
  void packagesHaveNoCycles() {
    NO_CYCLES.check(CLASSES);
  }

  @Test
  void aCycleIsReported() {
    Planted.dependency(BENCH + "new1.One", BENCH + "new2.Two")
        .and(BENCH + "new2.Two", BENCH + "new1.One")
        .breaks(NO_CYCLES, directory);
  }

  @Test
  void noPackageIsLarge() {
    Map<String, Long> sizes =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(type -> !type.getSimpleName().equals("package-info"))
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    sizes.values().removeIf(size -> size <= MOST_CLASSES);
    assertEquals(Map.of(), sizes);
  }

  private static LayeredArchitecture order() {
    // Optional, because a planted class needs none of the other packages.
    LayeredArchitecture order =
        layeredArchitecture().consideringOnlyDependenciesInLayers().withOptionalLayers(true);
    List<String> all = new ArrayList<>(SHARED);
    all.addAll(SCENARIOS);
    for (String name : all) {
      order = order.layer(name).definedBy(BENCH + name + "..");
    }
    for (int i = 0; i < all.size(); i++) {
      String[] earlier = SHARED.subList(0, Math.min(i, SHARED.size())).toArray(String[]::new);
      order =
          earlier.length == 0
              ? order.whereLayer(all.get(i)).mayNotAccessAnyLayer()
              : order.whereLayer(all.get(i)).mayOnlyAccessLayers(earlier);
    }
    return order.layer("main").definedBy(ROOT).whereLayer("main").mayNotBeAccessedByAnyLayer();
  }
}
