package org.svcmailbox.guard;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A throwable with its causes in one line, instead of its stack trace. */
final class OneLine extends Exception {
  private static final long serialVersionUID = 1L;

  private final String text;

  private OneLine(String text) {
    super(text, null, false, false);
    this.text = text;
  }

  static Throwable of(Throwable thrown) {
    return new OneLine(text(thrown));
  }

  /** A throwable and its causes in one line; empty for none. */
  static String text(@Nullable Throwable thrown) {
    return Stream.iterate(thrown, cause -> cause != null, Throwable::getCause)
        .map(Throwable::toString)
        .collect(Collectors.joining(": "));
  }

  /** Without the name of this class. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return text;
  }
}
