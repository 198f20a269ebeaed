package org.svcmailbox.test.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Programs of this machine. A missing one is installed permanently from Debian's package, as root
 * if a mirror can be reached.
 */
public final class Programs {
  private static final long PATIENCE_MINUTES = 10;

  /** Root has them on the path only after a login. */
  private static final String ADMINISTRATORS = ":/usr/local/sbin:/usr/sbin:/sbin";

  private Programs() {}

  /**
   * The first of {@code names} on the path, from the package if none is there yet.
   *
   * @throws IllegalStateException in one line when there is none and it cannot be installed
   */
  public static synchronized Path require(String debianPackage, String... names) {
    return find(names)
        .or(() -> install(debianPackage, names))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    String.format(
                        "%s is missing, and apt-get could not install it: install Debian's package"
                            + " %s",
                        names[0], debianPackage)));
  }

  /** The first of {@code names} on the path or among administrators' programs, if any is there. */
  public static Optional<Path> find(String... names) {
    String path = System.getenv().getOrDefault("PATH", "");
    List<String> directories = List.of((path + ADMINISTRATORS).split(":"));
    return Arrays.stream(names)
        // A name that begins with a slash stays unchanged.
        .flatMap(name -> directories.stream().map(directory -> Path.of(directory).resolve(name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Debian's Python, which has a module.
   *
   * @throws IllegalStateException in one line when the module is missing and cannot be installed
   */
  public static synchronized Path python(String debianPackage, String module) {
    Path python = require("python3", "/usr/bin/python3");
    if (!has(python, module)) {
      Optional<Path> unused = install(debianPackage);
    }
    if (has(python, module)) {
      return python;
    }
    throw new IllegalStateException(
        String.format(
            "Python's %s is missing, and apt-get could not install it: install Debian's package %s",
            module, debianPackage));
  }

  private static boolean has(Path python, String module) {
    try {
      Process process =
          new ProcessBuilder(python.toString(), "-c", "import " + module)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Optional<Path> install(String debianPackage, String... names) {
    String script =
        "export DEBIAN_FRONTEND=noninteractive; apt-get -q update"
            + " && apt-get -q -y install --no-install-recommends "
            + debianPackage;
    Path log = Path.of("target", debianPackage + ".log");
    try {
      Process process =
          new ProcessBuilder("sh", "-c", script)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    return find(names);
  }
}
