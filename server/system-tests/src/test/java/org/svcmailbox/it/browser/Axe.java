package org.svcmailbox.it.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Runs axe-core on a page. The debugger injects it, which the content security policy does not
 * restrict.
 */
final class Axe {
  private static final String SCRIPT = script();

  private static final String RUN =
      """
      async () => {
        const { violations } = await axe.run(document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        });
        return violations
          .filter(({ impact }) => ['serious', 'critical'].includes(impact))
          .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
            `${id} ${target}: ${failureSummary}`));
      }
      """;

  private Axe() {}

  /** The serious and critical violations of the page, one per line. */
  static List<String> findings(Page page) {
    if (page.evaluate("typeof axe").equals("undefined")) {
      page.evaluate(SCRIPT);
    }
    return ((List<?>) page.evaluate(RUN)).stream().map(String::valueOf).toList();
  }

  /** Asserts that the page has no findings, and is not wider than the screen. */
  static void check(Page page, String name) {
    assertEquals(List.of(), findings(page), name);
    Object over = page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assertEquals(true, ((Number) over).intValue() <= 0, () -> name + " is wider by " + over);
  }

  private static String script() {
    try (InputStream script = Axe.class.getResourceAsStream("/axe.min.js")) {
      return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
