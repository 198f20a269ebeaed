package org.svcmailbox.core.deadletter;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The words of an error that search finds, in lower case, each cut to {@value #MAX_LENGTH}
 * characters.
 */
public record ErrorWords(Set<String> words) {
  public static final int MAX_WORDS = 64;

  public static final int MAX_LENGTH = 40;

  /** Marks a typed word as a prefix. */
  public static final String BEGINNING = "*";

  private static final Pattern NEITHER = Pattern.compile("[^\\p{L}\\p{N}]+");
  private static final Pattern TYPED = Pattern.compile("([\\p{L}\\p{N}]+)(\\*?)");

  public ErrorWords {
    words = Set.copyOf(words);
  }

  public static ErrorWords of(String error) {
    return new ErrorWords(
        NEITHER
            .splitAsStream(error)
            .filter(word -> !word.isEmpty())
            .limit(MAX_WORDS)
            .map(ErrorWords::normal)
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** Parses a typed query into {@link LetterFilter#words}; empty if it has no word. */
  public static List<String> typed(String text) {
    return TYPED
        .matcher(text)
        .results()
        .map(found -> normal(found.group(1)) + found.group(2))
        .distinct()
        .toList();
  }

  private static String normal(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    int length = lower.codePointCount(0, lower.length());
    return length <= MAX_LENGTH
        ? lower
        : lower.substring(0, lower.offsetByCodePoints(0, MAX_LENGTH));
  }
}
