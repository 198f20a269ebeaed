package org.svcmailbox.test.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Dependencies made up to violate a rule. The classes at both ends are compiled on the spot, so a
 * rule can be shown to forbid what is on no class path of this build.
 */
public final class Planted {
  private final Map<String, TreeSet<String>> uses = new TreeMap<>();

  private Planted() {}

  /** One dependency between two classes, both given by their full names. */
  public static Planted dependency(String from, String to) {
    return new Planted().and(from, to);
  }

  /** One more. */
  public Planted and(String from, String to) {
    uses.computeIfAbsent(from, name -> new TreeSet<>()).add(to);
    uses.computeIfAbsent(to, name -> new TreeSet<>());
    return this;
  }

  /**
   * Fails unless the rule reports the planted classes.
   *
   * @param directory an empty one for the compiled classes
   */
  public void breaks(ArchRule rule, Path directory) {
    List<String> found = rule.evaluate(compile(directory)).getFailureReport().getDetails();
    uses.forEach(
        (from, targets) ->
            targets.forEach(
                to ->
                    assertTrue(
                        found.stream().anyMatch(line -> line.contains(from) && line.contains(to)),
                        () -> from + " -> " + to + " is not among " + found)));
  }

  private JavaClasses compile(Path directory) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter output = new StringWriter();
    // Nothing but java.base, so that any other type is the planted one.
    List<String> options =
        List.of(
            "-proc:none",
            "--limit-modules=java.base",
            "-d",
            directory.toString(),
            "-cp",
            directory.toString());
    List<JavaFileObject> sources = new ArrayList<>();
    uses.forEach((name, targets) -> sources.add(new Source(name, targets.stream())));
    boolean compiled = compiler.getTask(output, null, null, options, null, sources).call();
    assertTrue(compiled, output::toString);
    return new ClassFileImporter().importPath(directory);
  }

  /** A class with one field for each class that it uses. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, Stream<String> uses) {
      super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      int dot = name.lastIndexOf('.');
      StringBuilder body = new StringBuilder();
      uses.forEach(use -> body.append(use).append(" field").append(body.length()).append(";\n"));
      text =
          "package %s;\npublic class %s {\n%s}\n"
              .formatted(name.substring(0, dot), name.substring(dot + 1), body);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
