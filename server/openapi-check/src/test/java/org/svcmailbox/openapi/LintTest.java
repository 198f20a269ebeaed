package org.svcmailbox.openapi;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.openapi.Linter.Verdict;

class LintTest {
  private static final Path DOCUMENT = Path.of(System.getProperty("openapi.document"));
  private static final Linter LINTER = new Linter();

  @Test
  void theDocumentIsClean() throws IOException, InterruptedException {
    Verdict verdict = LINTER.lint(DOCUMENT);
    assertTrue(verdict.isClean(), verdict::text);
  }

  /** Each fault was once in the document as served. */
  @ParameterizedTest
  @CsvSource({
    "'/v1/jobs/{job_id}:', '/v1/dlq/jobs/{job_id}:', no-ambiguous-paths",
    "'      security: []\n', '', security-defined",
    "'\ninfo:\n', '\nexternalDocs: {}\ninfo:\n', struct",
    "'\ninfo:\n', '\ninfo:\n  contact: {}\n', contact-without-content",
    "'''no'':', 'false:', no-required-schema-properties-undefined",
  })
  void aPlantedFaultIsFound(String good, String bad, String rule, @TempDir Path directory)
      throws IOException, InterruptedException {
    String document = Files.readString(DOCUMENT);
    String faulty = document.replace(good, bad);
    assertFalse(faulty.equals(document), good);
    Verdict verdict = LINTER.lint(Files.writeString(directory.resolve("openapi.yaml"), faulty));
    assertFalse(verdict.isClean());
    assertTrue(verdict.text().contains(rule), verdict::text);
  }
}
