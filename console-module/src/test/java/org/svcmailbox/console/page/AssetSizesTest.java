package org.svcmailbox.console.page;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sizes of the console's own files, each compressed on its way to a browser. */
class AssetSizesTest {
  private static final Path WEBAPP = Path.of("src/main/webapp");

  @ParameterizedTest
  @CsvSource({".js, 100_000", ".css, 10_000"})
  void theFilesOfAKindStayWithinTheirBudget(String ending, String budget) throws IOException {
    int most = Integer.parseInt(budget.replace("_", ""));
    int all = files(ending).stream().mapToInt(AssetSizesTest::compressed).sum();
    assertTrue(all > most / 2, () -> ending + ": only " + all + " bytes, so some are not found");
    assertTrue(all <= most, () -> ending + ": " + all + " bytes");
  }

  private static List<Path> files(String ending) throws IOException {
    try (Stream<Path> found = Files.walk(WEBAPP)) {
      return found.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private static int compressed(Path file) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      Files.copy(file, gzip);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.size();
  }
}
