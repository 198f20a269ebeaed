package org.svcmailbox.core.prose;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One sentence with its place. */
record Sentence(String path, int line, String text) {
  /** The most words of a sentence, without its code spans. */
  static final int MAX_WORDS = 28;

  private static final Pattern OPENING =
      Pattern.compile(
          "(?:Who|Whoever|Whom|What|Whatever|Those|Nobody|For whom|None that"
              + "|Of (?:those|what|them)|Not (?:until|because|for))\\b(?!.*\\?)");

  private static final Pattern WORD =
      Pattern.compile(
          "\\b(?:anew|lately|at hand|thereof|whoever|by and by|nobody's|whose turn|has not(?=\\.)"
              + "|on (?:its|their) way out|none of (?:ours|this))(?![\\w-])",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern BLANK = Pattern.compile("\\s+");
  private static final Pattern LETTER = Pattern.compile("\\w");

  /** The rule that this sentence breaks. */
  Optional<String> violation() {
    if (OPENING.matcher(text).lookingAt()) {
      return Optional.of("opening");
    }
    Matcher word = WORD.matcher(text);
    if (word.find()) {
      return Optional.of("word '" + word.group() + "'");
    }
    long words = words();
    return words > MAX_WORDS ? Optional.of(words + " words") : Optional.empty();
  }

  private long words() {
    return BLANK.splitAsStream(text).filter(word -> LETTER.matcher(word).find()).count();
  }
}
