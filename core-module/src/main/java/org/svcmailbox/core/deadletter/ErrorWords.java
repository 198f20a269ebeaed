package org.svcmailbox.core.deadletter;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The words of an error that it can be found by: letters and digits, in lower case.
 *
 * @param words the first {@value #MAX_WORDS} of them, each its first {@value #MAX_LENGTH}
 *     characters
 */
public record ErrorWords(Set<String> words) {
  /** The most words of one error. */
  public static final int MAX_WORDS = 64;

  /** The longest word; what is longer is found by its beginning. */
  public static final int MAX_LENGTH = 40;

  /** Behind what a user typed: every word that begins so will do. */
  public static final String BEGINNING = "*";

  private static final Pattern NEITHER = Pattern.compile("[^\\p{L}\\p{N}]+");
  private static final Pattern TYPED = Pattern.compile("([\\p{L}\\p{N}]+)(\\*?)");

  public ErrorWords {
    words = Set.copyOf(words);
  }

  /** The words of an error. */
  public static ErrorWords of(String error) {
    return new ErrorWords(
        NEITHER
            .splitAsStream(error)
            .filter(word -> !word.isEmpty())
            .limit(MAX_WORDS)
            .map(ErrorWords::normal)
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** What a user typed, as {@link LetterFilter#words}; empty when there is no word in it. */
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
