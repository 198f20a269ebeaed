package org.svcmailbox.core;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class CoreArchitectureTest {
  private static final String CORE = "org.svcmailbox.core.";

  private static final JavaClasses CLASSES = ModuleRules.mainClasses("org.svcmailbox.core");

  /** A package uses only those of the lines above its own, so packages have no cycles. */
  private static final List<Set<String>> ORDER =
      """
      problem
      audit rate metrics time
      envelope health
      supervision
      trace capability.caveat
      settings capability.store
      message capability
      topic ledger cluster
      idempotency
      batch
      broker deadletter
      delivery condition
      bounds refusal redrive lookup history
      stream worker.state
      request worker.send worker.dispatch
      worker.settle worker.handover
      worker
      route
      mailbox service
      redrive.action
      redrive.run
      """
          .lines()
          .map(line -> Set.of(line.split(" ")))
          .toList();

  private static final ArchRule PACKAGES_KEEP_THEIR_ORDER = classes().should(new UseLinesAbove());

  private static final ArchRule KNOWS_NO_CONTAINER =
      ModuleRules.portable(
          "org.svcmailbox.core",
          "jakarta..",
          "java.sql..",
          "javax.sql..",
          "org.eclipse.microprofile..",
          "org.apache.activemq..",
          "com.fasterxml.jackson..",
          "org.svcmailbox.ejb..",
          "org.svcmailbox.web..");

  /** Classes of workers and of the mailbox build on each other in one direction only. */
  private static final ArchRule NO_CLASS_CYCLES =
      slices().assignedFrom(new TopLevelClasses()).should().beFreeOfCycles();

  private static final String WORKER = CORE + "worker.";

  /** Other packages may use the pool of workers, its ports and the commands. */
  private static final Set<String> WORKERS_FOR_OTHERS =
      Set.of(
          "WorkerPool",
          "DrainedLeases",
          "ShardAdmin",
          "Command",
          "Groups",
          "GroupsHere",
          "Inbox",
          "WorkerPorts",
          "BatchLogPorts",
          "Send",
          "ReadyCall",
          "RecvCall",
          "Settle");

  private static final ArchRule WORKERS_KEEP_THEIR_PARTS =
      noClasses()
          .that()
          .resideOutsideOfPackage(CORE + "worker..")
          .should()
          .dependOnClassesThat(
              describe(
                  "are parts of workers",
                  type ->
                      type.getName().startsWith(WORKER)
                          && !WORKERS_FOR_OTHERS.contains(type.getSimpleName())));

  @TempDir private Path directory;

  @Test
  void coreKnowsNoContainer() {
    KNOWS_NO_CONTAINER.check(CLASSES);
  }

  @Test
  void coreThatKnowsAContainerIsReported() {
    Planted.dependency(CORE + "topic.Culprit", "jakarta.ejb.Stateless")
        .breaks(KNOWS_NO_CONTAINER, directory);
  }

  @Test
  void packagesKeepTheirOrder() {
    PACKAGES_KEEP_THEIR_ORDER.check(CLASSES);
  }

  @ParameterizedTest
  @CsvSource({
    "batch, broker",
    "worker.send, worker.dispatch",
    "topic, unlisted",
    "unlisted, topic"
  })
  void aPackageThatUsesNoneAboveItIsReported(String package1, String package2) {
    Planted.dependency(CORE + package1 + ".Culprit", CORE + package2 + ".Target")
        .breaks(PACKAGES_KEEP_THEIR_ORDER, directory);
  }

  @Test
  void classesOfWorkersAndMailboxHaveNoCycles() {
    NO_CLASS_CYCLES.check(CLASSES);
  }

  @Test
  void aCycleOfClassesIsReported() {
    String one = WORKER + "state.One";
    String two = WORKER + "state.Two";
    Planted.dependency(one, two).and(two, one).breaks(NO_CLASS_CYCLES, directory);
  }

  @Test
  void onlyWorkersUseTheirParts() {
    WORKERS_KEEP_THEIR_PARTS.check(CLASSES);
  }

  @Test
  void aPartOfAWorkerThatOthersUseIsReported() {
    Planted.dependency(CORE + "mailbox.Culprit", WORKER + "state.WorkerContext")
        .breaks(WORKERS_KEEP_THEIR_PARTS, directory);
  }

  private static final class UseLinesAbove extends ArchCondition<JavaClass> {
    UseLinesAbove() {
      super("use only packages of the lines above their own");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
      type.getDirectDependenciesFromSelf().stream()
          .filter(UseLinesAbove::isAgainstTheOrder)
          .forEach(use -> events.add(SimpleConditionEvent.violated(use, use.getDescription())));
    }

    private static boolean isAgainstTheOrder(Dependency use) {
      String user = use.getOriginClass().getPackageName();
      String used = use.getTargetClass().getBaseComponentType().getPackageName();
      return used.startsWith(CORE)
          && !used.equals(user)
          && (line(user) < 0 || line(used) < 0 || line(used) >= line(user));
    }

    /** The line of a package; -1 for one without a place in the order. */
    private static int line(String name) {
      return IntStream.range(0, ORDER.size())
          .filter(line -> ORDER.get(line).contains(name.substring(CORE.length())))
          .findFirst()
          .orElse(-1);
    }
  }

  /** A slice for each top-level class of workers and of the mailbox; a nested one belongs to it. */
  private static final class TopLevelClasses implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      String name = type.getName();
      int nested = name.indexOf('$');
      return name.startsWith(WORKER) || type.getPackageName().equals(CORE + "mailbox")
          ? SliceIdentifier.of(nested < 0 ? name : name.substring(0, nested))
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "classes of workers and of the mailbox";
    }
  }
}
