package org.svcmailbox.core.prose;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Collects lines of prose and splits their paragraphs into sentences, without code and links. */
final class Paragraphs {
  private static final Pattern CODE =
      Pattern.compile(
          "(?s)``.*?``|`[^`]*`|<code>.*?</code>"
              + "|\\{@(?:code|literal|value|link|linkplain|snippet)\\b[^}]*}");

  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\([^)]*\\)");

  private static final Pattern END = Pattern.compile("(?<=[.?!])[)\"*]*\\s+(?=[^a-z])");

  private final String path;
  private final List<Sentence> sentences = new ArrayList<>();
  private final StringBuilder paragraph = new StringBuilder();
  private int firstLine;

  Paragraphs(String path) {
    this.path = path;
  }

  boolean isBetween() {
    return paragraph.isEmpty();
  }

  void add(int line, String text) {
    if (isBetween()) {
      firstLine = line;
    }
    paragraph.append(text).append('\n');
  }

  void end() {
    String text = CODE.matcher(paragraph).replaceAll(Paragraphs::withoutCode);
    text = LINK.matcher(text).replaceAll("$1").replace("**", "");
    Matcher end = END.matcher(text);
    int from = 0;
    while (end.find()) {
      addSentence(text, from, end.end());
      from = end.end();
    }
    addSentence(text, from, text.length());
    paragraph.setLength(0);
  }

  /** A sign that is no word, with the line breaks that the code had. */
  private static String withoutCode(MatchResult code) {
    return "§" + "\n".repeat(breaks(code.group()));
  }

  private void addSentence(String text, int from, int to) {
    String sentence = text.substring(from, to).strip().replaceAll("\\s+", " ");
    if (!sentence.isEmpty()) {
      sentences.add(new Sentence(path, firstLine + breaks(text.substring(0, from)), sentence));
    }
  }

  static int breaks(String text) {
    return (int) text.chars().filter(c -> c == '\n').count();
  }

  List<Sentence> sentences() {
    end();
    return List.copyOf(sentences);
  }
}
