package org.svcmailbox.core;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class CoreArchitectureTest {
  private static final String CORE = "org.svcmailbox.core.";

  private static final JavaClasses CLASSES = ModuleRules.mainClasses("org.svcmailbox.core");

  /** The packages in their order: each may use those named beside it, no other. */
  private static final Map<String, String[]> ORDER =
      Map.ofEntries(
          order("problem"),
          order("health"),
          order("audit"),
          order("rate"),
          order("metrics"),
          order("supervision", "health", "metrics"),
          order("envelope", "problem"),
          order("trace", "envelope"),
          order("capability.macaroon", "problem"),
          order("capability.caveat", "problem", "envelope", "capability.macaroon"),
          order("capability.store", "audit", "capability.caveat"),
          order(
              "capability",
              "problem",
              "envelope",
              "audit",
              "health",
              "rate",
              "metrics",
              "capability.macaroon",
              "capability.caveat",
              "capability.store",
              "settings"),
          order("settings", "problem", "capability.macaroon", "capability.caveat"),
          order("topic", "problem", "envelope", "capability", "settings", "metrics"),
          order("ledger", "envelope", "capability"),
          order("idempotency", "envelope", "topic"),
          order("time"),
          order("message", "envelope", "capability.caveat", "settings"),
          order("batch", "problem", "envelope", "metrics", "settings", "ledger", "idempotency"),
          order("broker", "envelope", "topic", "message", "batch"),
          order(
              "delivery",
              "problem",
              "envelope",
              "capability.caveat",
              "capability",
              "message",
              "broker"),
          order("request", "problem", "envelope", "settings", "delivery", "stream"),
          order("refusal", "problem", "rate", "metrics", "envelope", "capability", "delivery"),
          order(
              "bounds",
              "problem",
              "envelope",
              "metrics",
              "capability.caveat",
              "settings",
              "topic",
              "time",
              "message",
              "broker",
              "delivery"),
          order(
              "worker.state",
              "envelope",
              "batch",
              "capability.caveat",
              "topic",
              "time",
              "message",
              "broker",
              "delivery",
              "bounds"),
          order(
              "worker.send",
              "problem",
              "envelope",
              "capability.caveat",
              "settings",
              "topic",
              "ledger",
              "idempotency",
              "time",
              "message",
              "batch",
              "broker",
              "delivery",
              "bounds",
              "worker.state"),
          order(
              "worker.dispatch",
              "envelope",
              "capability.caveat",
              "capability",
              "settings",
              "topic",
              "time",
              "message",
              "broker",
              "delivery",
              "bounds",
              "worker.state"),
          // It uses dispatch for late ACKs, which look for a message that has returned.
          order(
              "worker.settle",
              "envelope",
              "supervision",
              "capability.caveat",
              "capability",
              "settings",
              "topic",
              "time",
              "message",
              "broker",
              "delivery",
              "bounds",
              "worker.state",
              "worker.dispatch"),
          order(
              "worker.handover",
              "envelope",
              "capability.caveat",
              "settings",
              "topic",
              "message",
              "broker",
              "delivery",
              "bounds",
              "worker.state",
              "worker.dispatch"),
          order(
              "worker",
              "problem",
              "envelope",
              "metrics",
              "supervision",
              "settings",
              "topic",
              "time",
              "message",
              "batch",
              "broker",
              "delivery",
              "bounds",
              "worker.state",
              "worker.send",
              "worker.dispatch",
              "worker.settle",
              "worker.handover"),
          order(
              "stream",
              "problem",
              "envelope",
              "metrics",
              "capability.caveat",
              "capability",
              "settings",
              "time",
              "message",
              "delivery",
              "bounds"),
          order(
              "mailbox",
              "stream",
              "problem",
              "audit",
              "envelope",
              "rate",
              "metrics",
              "supervision",
              "capability.caveat",
              "capability",
              "settings",
              "topic",
              "ledger",
              "idempotency",
              "time",
              "message",
              "batch",
              "broker",
              "delivery",
              "bounds",
              "worker.state",
              "worker.send",
              "worker.dispatch",
              "worker.settle",
              "worker.handover",
              "worker"),
          order(
              "deadletter",
              "problem",
              "envelope",
              "capability.caveat",
              "capability",
              "metrics",
              "topic",
              "ledger",
              "message",
              "batch"),
          order(
              "redrive",
              "problem",
              "audit",
              "envelope",
              "capability",
              "topic",
              "message",
              "delivery",
              "deadletter"),
          order(
              "redrive.action",
              "problem",
              "envelope",
              "settings",
              "topic",
              "message",
              "broker",
              "delivery",
              "mailbox",
              "deadletter",
              "redrive"),
          order(
              "redrive.run",
              "problem",
              "audit",
              "envelope",
              "capability.caveat",
              "capability",
              "metrics",
              "settings",
              "supervision",
              "topic",
              "time",
              "message",
              "broker",
              "delivery",
              "mailbox",
              "bounds",
              "deadletter",
              "redrive",
              "redrive.action"),
          order(
              "service",
              "health",
              "ledger",
              "topic",
              "delivery",
              "deadletter",
              "redrive",
              "stream"));

  private static Map.Entry<String, String[]> order(String name, String... used) {
    return Map.entry(name, used);
  }

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

  private static final ArchRule NO_CYCLES =
      slices().matching("org.svcmailbox.core.(**)").should().beFreeOfCycles();

  /** Packages whose classes build on each other in one direction only. */
  private static final Set<String> LAYERED =
      Set.of(
          CORE + "worker",
          CORE + "worker.state",
          CORE + "worker.send",
          CORE + "worker.dispatch",
          CORE + "worker.settle",
          CORE + "worker.handover",
          CORE + "mailbox");

  private static final ArchRule NO_CLASS_CYCLES =
      slices().assignedFrom(new TopLevelClasses()).should().beFreeOfCycles();

  /** A slice for each top-level class of the layered packages; a nested one belongs to it. */
  private static final class TopLevelClasses implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      String name = type.getName();
      int nested = name.indexOf('$');
      return LAYERED.contains(type.getPackageName())
          ? SliceIdentifier.of(nested < 0 ? name : name.substring(0, nested))
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "classes of " + LAYERED;
    }
  }

  private static final String WORKER = CORE + "worker.";

  /** Other packages may use the pool of workers, its ports and the commands. */
  private static final Set<String> WORKERS_FOR_OTHERS =
      Set.of(
          WORKER + "WorkerPool",
          WORKER + "DrainedLeases",
          WORKER + "ShardAdmin",
          WORKER + "state.Command",
          WORKER + "state.Inbox",
          WORKER + "state.OwnedSlots",
          WORKER + "state.WorkerPorts",
          WORKER + "send.BatchLogPorts",
          WORKER + "send.Send",
          WORKER + "dispatch.RecvCall",
          WORKER + "settle.Settle");

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
                          && !WORKERS_FOR_OTHERS.contains(type.getName())));

  @TempDir private Path directory;

  @Test
  void coreKnowsNoContainer() {
    KNOWS_NO_CONTAINER.check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jakarta.ejb.Stateless",
        "javax.sql.DataSource",
        "org.apache.activemq.artemis.api.core.Message",
        "org.hibernate.Session",
        "com.fasterxml.jackson.databind.ObjectMapper",
        "io.undertow.Undertow"
      })
  void coreThatKnowsAContainerIsReported(String type) {
    Planted.dependency(CORE + "topic.Culprit", type).breaks(KNOWS_NO_CONTAINER, directory);
  }

  @Test
  void packagesKeepTheirOrder() {
    order()
        .ensureAllClassesAreContainedInArchitectureIgnoring("org.svcmailbox.core")
        .check(CLASSES);
  }

  @ParameterizedTest
  @CsvSource({
    "problem, delivery",
    "metrics, delivery",
    "capability, delivery",
    "capability.macaroon, capability.caveat",
    "capability.caveat, capability.store",
    "capability.store, capability",
    "envelope, delivery",
    "settings, delivery",
    "topic, delivery",
    "ledger, delivery",
    "idempotency, delivery",
    "time, message",
    "message, delivery",
    "batch, broker",
    "broker, delivery",
    "delivery, bounds",
    "bounds, worker.state",
    "worker.state, worker.send",
    "worker.state, worker.dispatch",
    "worker.send, worker.dispatch",
    "worker.dispatch, worker.send",
    "worker.dispatch, worker.settle",
    "worker.send, worker.settle",
    "worker.settle, worker.send",
    "worker.settle, worker.handover",
    "worker.handover, worker",
    "worker, mailbox",
    "deadletter, mailbox",
    "redrive, redrive.action",
    "redrive.action, redrive.run",
    "redrive, service",
    "service, mailbox"
  })
  void aPackageThatUsesALaterOneIsReported(String earlier, String later) {
    Planted.dependency(CORE + earlier + ".Culprit", CORE + later + ".Target")
        .breaks(order(), directory);
  }

  @Test
  void packagesHaveNoCycles() {
    NO_CYCLES.check(CLASSES);
  }

  @Test
  void aCycleIsReported() {
    Planted.dependency(CORE + "new1.One", CORE + "new2.Two")
        .and(CORE + "new2.Two", CORE + "new1.One")
        .breaks(NO_CYCLES, directory);
  }

  @Test
  void classesOfWorkersAndMailboxHaveNoCycles() {
    NO_CLASS_CYCLES.check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "worker",
        "worker.state",
        "worker.send",
        "worker.dispatch",
        "worker.settle",
        "worker.handover",
        "mailbox"
      })
  void aCycleOfClassesIsReported(String layered) {
    String one = CORE + layered + ".One";
    String two = CORE + layered + ".Two";
    Planted.dependency(one, two).and(two, one).breaks(NO_CLASS_CYCLES, directory);
  }

  @Test
  void onlyWorkersUseTheirParts() {
    WORKERS_KEEP_THEIR_PARTS.check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ShardWorker",
        "state.WorkerContext",
        "send.SendStage",
        "dispatch.MessageDispatcher",
        "settle.Settlement"
      })
  void aPartOfAWorkerThatOthersUseIsReported(String part) {
    Planted.dependency(CORE + "mailbox.Culprit", WORKER + part)
        .breaks(WORKERS_KEEP_THEIR_PARTS, directory);
  }

  private static LayeredArchitecture order() {
    // Optional, so that a planted class alone is judged by what it uses.
    LayeredArchitecture order =
        layeredArchitecture().consideringOnlyDependenciesInLayers().withOptionalLayers(true);
    for (String name : ORDER.keySet()) {
      order = order.layer(name).definedBy(CORE + name);
    }
    for (Map.Entry<String, String[]> rule : ORDER.entrySet()) {
      order =
          rule.getValue().length == 0
              ? order.whereLayer(rule.getKey()).mayNotAccessAnyLayer()
              : order.whereLayer(rule.getKey()).mayOnlyAccessLayers(rule.getValue());
    }
    return order;
  }
}
