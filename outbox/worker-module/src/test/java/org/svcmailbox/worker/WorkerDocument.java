package org.svcmailbox.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tables of {@code docs/WORKER.md}. */
public final class WorkerDocument {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "."), "..", "..", "docs", "WORKER.md");

  private WorkerDocument() {}

  /**
   * The rows of the table whose head begins with a word, as their cells.
   *
   * @param head the first cell of its head
   * @param section the heading that it is under
   */
  public static List<List<String>> rows(String section, String head) {
    List<List<String>> rows = new ArrayList<>();
    boolean isSection = false;
    boolean isTable = false;
    for (String line : lines()) {
      if (line.startsWith("#")) {
        isSection = line.equals("## " + section);
      }
      isTable = isSection && line.startsWith("|") && (isTable || cells(line).get(0).equals(head));
      if (isTable) {
        rows.add(cells(line));
      }
    }
    if (rows.size() < 3) {
      throw new AssertionError("no table of " + head + " under " + section);
    }
    return rows.subList(2, rows.size());
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("(?<!\\\\)\\|", -1))
        .map(String::strip)
        .toList();
  }

  /** A cell without the marks of code. */
  public static String code(String cell) {
    return cell.replace("`", "");
  }
}
