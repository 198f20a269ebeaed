package org.svcmailbox.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {
  private static final Path PROJECT =
      Path.of(System.getProperty("basedir", "."), "../../..").normalize();
  private static final Pattern LINK =
      Pattern.compile("href=\"(?!https:|\\.\\./)([^\"#]*)#?([^\"]*)\"");
  private static final Pattern RUNBOOK = Pattern.compile("/console/docs/([^\"#]*)#([^\"]*)\"");

  @TempDir private Path source;
  @TempDir private Path target;

  private String page(String markdown) throws IOException {
    Files.writeString(source.resolve("ONE.md"), "# One & `two`\n\n" + markdown);
    Files.writeString(source.resolve("TWO.md"), "# Two\n");
    Files.writeString(source.resolve("picture.svg"), "<svg/>");
    Files.writeString(source.resolve("notes.txt"), "no document");
    Documents.convert(source, target);
    return Files.readString(target.resolve("ONE.html"));
  }

  @Test
  void linksLeadToPagesAndNowhereElse() throws IOException {
    String page =
        page(
            "[a](TWO.md) [b](TWO.md#x) [c](#y) [d](../README.md) [e](adr/0001.md#z) [f](https://g)");
    assertTrue(page.contains("<a href=\"TWO.html\">a</a> <a href=\"TWO.html#x\">b</a>"), page);
    assertTrue(page.contains("<a href=\"#y\">c</a> <a>d</a> <a>e</a>"), page);
    assertTrue(page.contains("<a href=\"https://g\">f</a>"), page);
  }

  @Test
  void headingsHaveTheAnchorsThatLinksName() throws IOException {
    String page = page("## What `bin/x` says: it's up (1)\n\n## Twice\n\n## Twice\n");
    assertTrue(page.contains("<h2 id=\"what-binx-says-its-up-1\">"), page);
    assertTrue(page.contains("<h2 id=\"twice\">") && page.contains("<h2 id=\"twice-1\">"), page);
  }

  @Test
  void whatScrollsIsReachedByKeys() throws IOException {
    String page = page("| a |\n|---|\n| b |\n\n```\ncode\n```\n");
    assertTrue(page.contains("<table tabindex=\"0\">"), page);
    assertTrue(page.contains("<pre tabindex=\"0\"><code>"), page);
  }

  @Test
  void aListNamesTheDocumentsAndImagesAreCopied() throws IOException {
    assertTrue(page("").contains("<title>One &amp; two</title>"));
    String list = Files.readString(target.resolve("index.html"));
    assertTrue(list.contains("<a href=\"ONE.html\">One &amp; two</a>"), list);
    assertTrue(list.indexOf("ONE.html") < list.indexOf("TWO.html"), list);
    assertFalse(list.contains("picture"), list);
    assertEquals("<svg/>", Files.readString(target.resolve("picture.svg")));
    assertFalse(Files.exists(target.resolve("notes.txt")));
  }

  @Test
  void everyLinkOfTheDocumentsAndEveryRunbookLeadsToAHeading() throws IOException {
    Documents.convert(PROJECT.resolve("docs"), target);
    Set<String> broken = new TreeSet<>();
    for (Path page : pages()) {
      LINK.matcher(Files.readString(page))
          .results()
          .filter(
              link ->
                  !leads(
                      link.group(1).isEmpty() ? page : target.resolve(link.group(1)),
                      link.group(2)))
          .forEach(link -> broken.add(page.getFileName() + ": " + link.group()));
    }
    String alerts =
        Files.readString(PROJECT.resolve("server/config/observability/prometheus-alerts.yaml"));
    List<String> runbooks =
        RUNBOOK
            .matcher(alerts)
            .results()
            .filter(link -> !leads(target.resolve(link.group(1)), link.group(2)))
            .map(link -> "alerts: " + link.group())
            .toList();
    broken.addAll(runbooks);
    assertEquals(Set.of(), broken);
    assertTrue(RUNBOOK.matcher(alerts).find(), "an alert names its runbook");
  }

  private List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(target)) {
      List<Path> pages = files.filter(file -> file.toString().endsWith(".html")).toList();
      assertTrue(pages.size() > 10, pages::toString);
      return pages;
    }
  }

  private static boolean leads(Path page, String anchor) {
    try {
      return Files.exists(page.toString().endsWith("/.") ? page.getParent() : page)
          && (anchor.isEmpty() || Files.readString(page).contains(" id=\"" + anchor + "\""));
    } catch (IOException e) {
      return false;
    }
  }
}
