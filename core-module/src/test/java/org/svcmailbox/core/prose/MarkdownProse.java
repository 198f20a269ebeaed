package org.svcmailbox.core.prose;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sentences of a document, without its headings, tables and code. */
final class MarkdownProse {
  private static final Pattern ITEM = Pattern.compile("(?:[*+-]|\\d+\\.) +(.*)");

  private MarkdownProse() {}

  static List<Sentence> sentences(String path, String text) {
    Paragraphs paragraphs = new Paragraphs(path);
    boolean isFenced = false;
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String stripped = line.strip();
      if (stripped.startsWith("```")) {
        isFenced = !isFenced;
        paragraphs.end();
      } else if (isFenced || isNoProse(stripped) || isIndentedCode(line, paragraphs)) {
        paragraphs.end();
      } else {
        add(number, stripped, paragraphs);
      }
    }
    return paragraphs.sentences();
  }

  private static boolean isNoProse(String line) {
    return line.isEmpty() || line.startsWith("|") || line.startsWith("#") || line.startsWith("<");
  }

  private static boolean isIndentedCode(String line, Paragraphs paragraphs) {
    return line.startsWith("    ") && paragraphs.isBetween();
  }

  private static void add(int number, String line, Paragraphs paragraphs) {
    Matcher item = ITEM.matcher(line);
    if (item.matches()) {
      paragraphs.end();
      paragraphs.add(number, item.group(1));
    } else {
      paragraphs.add(number, line);
    }
  }
}
