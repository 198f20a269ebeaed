package org.svcmailbox.core.settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.svcmailbox.amount.Amounts;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.settings.Form.OrAbsent;
import org.svcmailbox.core.settings.Form.Parsed;
import org.svcmailbox.core.settings.Form.Range;
import org.svcmailbox.core.settings.Form.Range.Bound;

/** A part of the documented table. It declares settings and keeps their order. */
final class SettingGroup {
  private static final String NONE = "none";

  private final List<Setting<?>> settings = new ArrayList<>();

  List<Setting<?>> settings() {
    return Collections.unmodifiableList(settings);
  }

  /** A whole number that fits in an {@code int}. */
  RangeDraft<Integer, Integer> count(String name) {
    return new RangeDraft<>(name, text -> clamped(number(text)));
  }

  /** A size that fits in an {@code int}: {@code 65536} or {@code 64KB}. */
  RangeDraft<Integer, Integer> size(String name) {
    return new RangeDraft<>(name, text -> clamped(amount(text, Amounts::bytes)));
  }

  RangeDraft<Long, Long> longSize(String name) {
    return new RangeDraft<>(name, text -> amount(text, Amounts::bytes));
  }

  /** {@code 250ms}, {@code 5s}, {@code 7d} or ISO-8601. */
  RangeDraft<String, Duration> duration(String name) {
    return new RangeDraft<>(name, text -> amount(text, Amounts::duration));
  }

  Draft<Boolean, Boolean> flag(String name) {
    return new Draft<>(
        name,
        new Parsed<>(
            "true or false",
            text -> Boolean.valueOf(oneOf(text, List.of("true", "false"), "true or false"))));
  }

  Draft<String, String> text(String name, String bounds) {
    return form(name, bounds, text -> text);
  }

  /** One of several words, which {@code bounds} lists. */
  Draft<String, String> word(String name, String bounds, List<String> words) {
    return form(name, bounds, text -> oneOf(text, words, bounds));
  }

  Draft<String, Path> path(String name, String bounds) {
    return form(name, bounds, SettingGroup::file);
  }

  Draft<String, URI> url(String name, String bounds) {
    return form(name, bounds, SettingGroup::http);
  }

  /** Texts separated by commas, or {@code none}. */
  <T> Draft<String, List<T>> list(
      String name, String bounds, Function<List<String>, List<T>> parser) {
    return form(name, bounds, text -> parser.apply(elements(text)));
  }

  /** {@code 10.0.0.0/8,2001:db8::/32}, or {@code none}. */
  Draft<String, List<IpRange>> addresses(String name, String bounds) {
    return list(name, bounds, SettingGroup::ranges);
  }

  <T> Draft<String, T> form(String name, String bounds, Function<String, T> parser) {
    return new Draft<>(name, new Parsed<>(bounds, parser));
  }

  /** The elements of a text with commas; empty for {@code none}. */
  static List<String> elements(String text) {
    return text.equals(NONE) ? List.of() : List.of(text.split(",", -1));
  }

  static List<String> atMost(int most, List<String> elements) {
    if (elements.size() > most) {
      throw new RefusedValueException("must have at most " + most + " elements");
    }
    return elements;
  }

  static List<IpRange> ranges(List<String> elements) {
    List<IpRange> ranges = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    for (String element : elements) {
      IpRange.parse(element)
          .ifPresentOrElse(
              ranges::add, () -> reasons.add("has " + element + ", which is no address range"));
    }
    return unless(reasons, ranges);
  }

  /** Returns {@code value} if there is no reason to refuse it. */
  static <T> T unless(List<String> reasons, T value) {
    if (!reasons.isEmpty()) {
      throw new RefusedValueException(reasons);
    }
    return value;
  }

  private static String oneOf(String text, List<String> words, String bounds) {
    if (!words.contains(text)) {
      throw new RefusedValueException("must be " + bounds);
    }
    return text;
  }

  /**
   * Numbers beyond an {@code int} become its largest or smallest value, which is out of every
   * range.
   */
  private static Integer clamped(long number) {
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new RefusedValueException("must be a whole number");
    }
  }

  private static <T> T amount(String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new RefusedValueException(String.valueOf(e.getMessage()));
    }
  }

  private static Path file(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new RefusedValueException("must be a path");
    }
  }

  private static URI http(String text) {
    try {
      URI url = new URI(text);
      boolean isHttp = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
      boolean isPlain = url.getQuery() == null && url.getFragment() == null;
      if (isHttp && isPlain && url.getHost() != null) {
        return url;
      }
    } catch (URISyntaxException e) {
      // Refused below.
    }
    throw new RefusedValueException("must be a URL that begins with https:// or http://");
  }

  /**
   * A declaration that still lacks its default.
   *
   * @param <W> the form of values in the table
   * @param <T> the values
   */
  final class Draft<W, T> {
    private final String name;
    private final Form<T> form;

    private Draft(String name, Form<T> form) {
      this.name = name;
      this.form = form;
    }

    Setting<T> byDefault(W written) {
      T value = form.parse(String.valueOf(written));
      return byDefault(String.valueOf(written), on -> value);
    }

    /** A computed default, for which the table has {@code shown}. */
    Setting<T> byDefault(String shown, Function<Deployment, T> value) {
      return add(new Setting<>(name, form, shown, value));
    }

    /** The value can be absent; {@code none} and an empty text also mean that. */
    Setting<Optional<T>> orNone() {
      return optional(NONE, Set.of(NONE, ""));
    }

    /** The value can be absent; {@code word} also means that. */
    Setting<Optional<T>> unless(String word) {
      return optional(word, Set.of(word));
    }

    private Setting<Optional<T>> optional(String shown, Set<String> absent) {
      return add(new Setting<>(name, new OrAbsent<>(form, absent), shown, on -> Optional.empty()));
    }
  }

  private <T> Setting<T> add(Setting<T> setting) {
    settings.add(setting);
    return setting;
  }

  /** A declaration that still lacks its bounds. */
  final class RangeDraft<W, T extends Comparable<? super T>> {
    private final String name;
    private final Function<String, T> parser;

    private RangeDraft(String name, Function<String, T> parser) {
      this.name = name;
      this.parser = parser;
    }

    Most<W, T> from(W least) {
      return most -> new Draft<>(name, new Range<>(parser, bound(least), bound(most)));
    }

    private Bound<T> bound(W written) {
      String text = String.valueOf(written);
      return new Bound<>(text, parser.apply(text));
    }
  }

  /** A declaration that still lacks its upper bound. */
  interface Most<W, T> {
    Draft<W, T> to(W most);
  }
}
