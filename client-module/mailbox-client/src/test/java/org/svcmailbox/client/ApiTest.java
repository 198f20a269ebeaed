package org.svcmailbox.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.architecture.ModuleRules;

/** The table "What is API" of docs/CLIENT.md says what {@link Experimental} says. */
class ApiTest {
  private static final String CLIENT = "org.svcmailbox.client";
  private static final JavaClasses CLASSES = ModuleRules.mainClasses(CLIENT);
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  @Test
  void everyPackageIsApiOrMarked() throws IOException {
    Set<String> all =
        classes().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
    Set<String> marked = new TreeSet<>(all);
    marked.removeIf(name -> !isMarked(name));
    Set<String> api = new TreeSet<>(all);
    api.removeAll(marked);

    Set<String> saidApi = said("API");
    saidApi.retainAll(all);
    assertEquals(api, saidApi);
    Set<String> saidMarked = said("not yet: packages");
    saidMarked.retainAll(all);
    assertEquals(marked, saidMarked);
  }

  @Test
  void everyMarkedTypeAndMethodIsNamed() throws IOException {
    Set<String> marked =
        classes()
            .filter(type -> type.isAnnotatedWith(Experimental.class))
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
    CLASSES.stream()
        .flatMap(type -> type.getMethods().stream())
        .filter(method -> method.isAnnotatedWith(Experimental.class))
        .forEach(method -> marked.add(method.getName() + "()"));
    Set<String> said = said("not yet: parts of API packages");
    said.remove("MailboxContract");
    assertEquals(marked, said);
  }

  private static Stream<JavaClass> classes() {
    return CLASSES.stream()
        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .filter(type -> !type.getSimpleName().equals("package-info"));
  }

  /** Of the main classes, because a package of the tests has a {@code package-info} too. */
  private static boolean isMarked(String name) {
    return CLASSES.get(name + ".package-info").isAnnotatedWith(Experimental.class);
  }

  private static Set<String> said(String row) throws IOException {
    String line =
        Files.readString(Path.of("..", "..", "docs", "CLIENT.md"))
            .lines()
            .filter(each -> each.startsWith("| " + row + " |"))
            .findFirst()
            .orElseThrow();
    return CODE.matcher(line)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
