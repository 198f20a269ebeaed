package org.svcmailbox.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class ClientArchitectureTest {
  private static final String CLIENT = "org.svcmailbox.client";

  private static final JavaClasses CLASSES = ModuleRules.mainClasses(CLIENT);

  /** A verifier shares no code with what it verifies, and a plain program needs no container. */
  private static final ArchRule STANDS_ALONE =
      ModuleRules.portable(
          CLIENT,
          "org.svcmailbox.core..",
          "org.svcmailbox.ejb..",
          "org.svcmailbox.web..",
          "jakarta..",
          "org.eclipse.microprofile..",
          "org.junit..");

  @TempDir private Path directory;

  @Test
  void theClientStandsAlone() {
    STANDS_ALONE.check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.svcmailbox.core.envelope.Digest",
        "org.svcmailbox.ejb.Target",
        "jakarta.inject.Inject",
        "org.junit.jupiter.api.Test"
      })
  void aClientThatLeansOnTheServerIsReported(String type) {
    Planted.dependency(CLIENT + ".memory.Culprit", type).breaks(STANDS_ALONE, directory);
  }

  /** So that another mapper, or none, is a choice of the application. */
  @Test
  void noPublicSignatureOfACodecNamesAJsonLibrary() {
    methods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAnyPackage(CLIENT, CLIENT + ".codec", CLIENT + ".loop")
        .and()
        .arePublic()
        .should(
            new ArchCondition<>("name no type of Jackson") {
              @Override
              public void check(JavaMethod method, ConditionEvents events) {
                method.getAllInvolvedRawTypes().stream()
                    .filter(type -> type.getPackageName().startsWith("com.fasterxml"))
                    .forEach(
                        type ->
                            events.add(SimpleConditionEvent.violated(method, method + " " + type)));
              }
            })
        .check(CLASSES);
  }

  @Test
  void packagesKeepTheirOrder() {
    order().check(CLASSES);
  }

  @ParameterizedTest
  @CsvSource({
    "Culprit, codec.Target",
    "codec.Culprit, spi.Target",
    "spi.Culprit, memory.Target",
    "verify.Culprit, spi.Target",
    "service.Culprit, http.Target",
    "service.Culprit, memory.Target",
    "http.Culprit, memory.Target",
    "loop.Culprit, http.Target",
    "loop.Culprit, spi.Target",
    "loop.Culprit, memory.Target",
    "loop.Culprit, listener.Target",
    "listener.Culprit, spi.Target"
  })
  void aPackageThatUsesALaterOneIsReported(String from, String to) {
    Planted.dependency(CLIENT + "." + from, CLIENT + "." + to).breaks(order(), directory);
  }

  private static LayeredArchitecture order() {
    // Optional, so that a planted class alone is judged by what it uses.
    return layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .withOptionalLayers(true)
        .layer("api")
        .definedBy(CLIENT)
        .layer("codec")
        .definedBy(CLIENT + ".codec..")
        .layer("spi")
        .definedBy(CLIENT + ".spi..")
        .layer("memory")
        .definedBy(CLIENT + ".memory..")
        .layer("verify")
        .definedBy(CLIENT + ".verify..")
        .layer("service")
        .definedBy(CLIENT + ".service..")
        .layer("http")
        .definedBy(CLIENT + ".http..")
        .layer("loop")
        .definedBy(CLIENT + ".loop..")
        .layer("listener")
        .definedBy(CLIENT + ".listener..")
        .whereLayer("api")
        .mayNotAccessAnyLayer()
        .whereLayer("codec")
        .mayOnlyAccessLayers("api")
        .whereLayer("spi")
        .mayOnlyAccessLayers("api", "codec")
        .whereLayer("memory")
        .mayOnlyAccessLayers("api", "codec", "spi")
        .whereLayer("verify")
        .mayNotAccessAnyLayer()
        .whereLayer("service")
        .mayOnlyAccessLayers("api", "spi", "verify")
        .whereLayer("http")
        .mayOnlyAccessLayers("api", "codec", "spi", "service", "verify")
        .whereLayer("loop")
        .mayOnlyAccessLayers("api", "codec")
        .whereLayer("listener")
        .mayOnlyAccessLayers("api", "codec", "http", "loop");
  }
}
