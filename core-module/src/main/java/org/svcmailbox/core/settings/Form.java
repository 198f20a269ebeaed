package org.svcmailbox.core.settings;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The syntax and bounds of a setting's values. */
interface Form<T> {
  /** The allowed values, as documented. */
  String bounds();

  /**
   * Parses a text.
   *
   * @throws RefusedValueException if the text has another form
   */
  T parse(String text);

  /** The bounds of ordered values; empty for other values. */
  default Optional<Range<?>> range() {
    return Optional.empty();
  }

  /** Values that one function parses and checks. */
  record Parsed<T>(String bounds, Function<String, T> parser) implements Form<T> {
    @Override
    public T parse(String text) {
      return parser.apply(text);
    }
  }

  /** Ordered values between two bounds, both inclusive. */
  record Range<T extends Comparable<? super T>>(
      Function<String, T> parser, Bound<T> least, Bound<T> most) implements Form<T> {
    /** A bound and its documented text. */
    record Bound<T>(String text, T value) {}

    @Override
    public String bounds() {
      return least.text() + " to " + most.text();
    }

    @Override
    public T parse(String text) {
      T value = parser.apply(text);
      if (value.compareTo(least.value()) < 0 || value.compareTo(most.value()) > 0) {
        throw new RefusedValueException(
            "must be between " + least.text() + " and " + most.text() + ", not " + text);
      }
      return value;
    }

    @Override
    public Optional<Range<?>> range() {
      return Optional.of(this);
    }
  }

  /** Values of another form, or a word that means no value. */
  record OrAbsent<T>(Form<T> form, Set<String> absent) implements Form<Optional<T>> {
    @Override
    public String bounds() {
      return form.bounds();
    }

    @Override
    public Optional<T> parse(String text) {
      return absent.contains(text) ? Optional.empty() : Optional.of(form.parse(text));
    }

    @Override
    public Optional<Range<?>> range() {
      return form.range();
    }
  }
}
