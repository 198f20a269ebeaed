package org.svcmailbox.layout;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The build calls these: {@code prune HOME UNUSED}, {@code sbom HOME SBOM} and {@code documents
 * SOURCE TARGET}.
 */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws IOException {
    switch (arguments[0]) {
      case "prune" -> Pruning.prune(Path.of(arguments[1]), Path.of(arguments[2]));
      case "sbom" -> Sbom.complete(Path.of(arguments[1]), Path.of(arguments[2]));
      case "documents" -> Documents.convert(Path.of(arguments[1]), Path.of(arguments[2]));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }
}
