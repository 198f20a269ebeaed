package org.svcmailbox.core.prose;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sentences of a source's comments. */
final class JavaProse {
  /** Literals, so that none is taken for a comment, and comments. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'"
              + "|(?<comment>/\\*.*?\\*/|//[^\\n]*(?:\\n[ \\t]*//[^\\n]*)*)");

  private static final Pattern MARKS = Pattern.compile("^(?:/\\*+|\\*/|\\*|//)\\s?|\\*/$");
  private static final Pattern BLOCK_TAG = Pattern.compile("^@(?:(?:param|throws) \\S+|\\w+)");
  private static final Pattern HTML = Pattern.compile("</?(?!code)[a-z][a-z0-9]*\\b[^>]*>");

  private JavaProse() {}

  static List<Sentence> sentences(String path, String source) {
    Paragraphs paragraphs = new Paragraphs(path);
    Matcher token = TOKEN.matcher(source);
    int line = 1;
    int counted = 0;
    while (token.find()) {
      String comment = token.group("comment");
      if (comment != null) {
        line += Paragraphs.breaks(source.substring(counted, token.start()));
        counted = token.start();
        add(line, comment, paragraphs);
      }
    }
    return paragraphs.sentences();
  }

  private static void add(int firstLine, String comment, Paragraphs paragraphs) {
    int number = firstLine;
    boolean isCode = false;
    for (String line : comment.lines().toList()) {
      String text = MARKS.matcher(line.strip()).replaceAll("").strip();
      boolean endsCode = text.contains("</pre>");
      isCode = (isCode || text.contains("<pre>")) && !endsCode;
      if (text.isEmpty() || isCode || endsCode) {
        paragraphs.end();
      } else {
        addLine(number, text, paragraphs);
      }
      number++;
    }
    paragraphs.end();
  }

  private static void addLine(int number, String text, Paragraphs paragraphs) {
    if (text.startsWith("@") || text.startsWith("<")) {
      paragraphs.end();
    }
    String untagged = BLOCK_TAG.matcher(text).replaceFirst("");
    String prose = HTML.matcher(untagged).replaceAll(" ").strip();
    if (!prose.isEmpty()) {
      paragraphs.add(number, prose);
    }
  }
}
