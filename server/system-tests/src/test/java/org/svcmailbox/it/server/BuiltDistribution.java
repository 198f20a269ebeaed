package org.svcmailbox.it.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The distribution as the build made it: the same files in two archives. The system property {@code
 * mailbox.distribution} names them, without their endings.
 */
public record BuiltDistribution(Path stem) {

  /** The one of this build. */
  public static BuiltDistribution built() {
    BuiltDistribution built =
        new BuiltDistribution(Path.of(System.getProperty("mailbox.distribution")));
    if (!Files.exists(built.tar())) {
      throw new IllegalStateException("built with -Ddist.skip: there is no " + built.tar());
    }
    return built;
  }

  /** The directory that everything is in. */
  public String name() {
    return stem.getFileName().toString();
  }

  /** The files in the {@code .tar.gz}. */
  public List<String> tarFiles() {
    return files(run("tar", "-tzf", tar().toString()).lines());
  }

  /** The files in the {@code .zip}. */
  public List<String> zipFiles() {
    try (ZipFile zip = new ZipFile(zip().toFile())) {
      return files(zip.stream().map(ZipEntry::getName));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Unpacks the {@code .tar.gz} into a directory that is there, and returns what came out. */
  public Path unpackInto(Path directory) {
    run("tar", "-xzf", tar().toString(), "-C", directory.toString());
    return directory.resolve(name());
  }

  private static List<String> files(Stream<String> entries) {
    return entries.filter(name -> !name.endsWith("/")).toList();
  }

  /** The {@code .zip}. */
  public Path zip() {
    return Path.of(stem + ".zip");
  }

  private Path tar() {
    return Path.of(stem + ".tar.gz");
  }

  private static String run(String... command) {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + ": " + process.exitValue());
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
