package org.svcmailbox.test.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;

/** The parts that the dependency rules of every module share. */
public final class ModuleRules {
  /** Packages of WildFly alone; only server/config may know them. */
  private static final String[] SERVER_INTERNALS = {
    "io.undertow..", "org.xnio..", "org.jboss..", "org.wildfly..", "org.hibernate.."
  };

  private ModuleRules() {}

  /** The classes below a package, without those of tests. */
  public static JavaClasses mainClasses(String root) {
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .importPackages(root);
  }

  /**
   * Forbids the classes below a package to depend on others.
   *
   * @param others patterns of packages, besides those that only one server has
   */
  public static ArchRule portable(String root, String... others) {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage(SERVER_INTERNALS);
  }
}
