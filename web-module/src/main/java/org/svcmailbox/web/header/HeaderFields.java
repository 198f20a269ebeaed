package org.svcmailbox.web.header;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.json.JsonText;

/**
 * Reads message fields from request headers. Unknown and repeated fields are refused together;
 * other headers are ignored.
 */
public final class HeaderFields {
  private static final int MAX_DIGITS = 18;

  private final Map<HeaderField, String> given = new EnumMap<>(HeaderField.class);
  private final FieldChecks checks = new FieldChecks();

  /**
   * @param known the fields that the request may have
   */
  public HeaderFields(Map<String, List<String>> headers, Set<HeaderField> known) {
    headers.forEach((header, values) -> take(header, values, known));
  }

  private void take(String header, List<String> values, Set<HeaderField> known) {
    String lower = header.toLowerCase(Locale.ROOT);
    if (!HeaderField.isMailboxHeader(lower)) {
      return;
    }
    HeaderField field = HeaderField.ofHeader(lower);
    if (field == null || !known.contains(field)) {
      refuse(header, "is not a header of this request");
    } else if (values.size() != 1) {
      refuse(field.header(), "appears twice");
    } else if (!isPrintable(values.get(0))) {
      refuse(field.header(), "must be printable ASCII");
    } else {
      given.put(field, values.get(0));
    }
  }

  private void refuse(String header, String message) {
    checks.add(new SchemaException(header, message));
  }

  private static boolean isPrintable(String value) {
    return value.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  /** Text; null when absent or refused. */
  public @Nullable String text(HeaderField field) {
    return read(field, value -> HeaderText.decoded(field.header(), value));
  }

  /** Text, optionally in double quotes; null when absent or refused. */
  public @Nullable String quotable(HeaderField field) {
    return read(field, value -> HeaderText.unquoted(field.header(), value));
  }

  /** A number, digits only; null when absent or refused. */
  public @Nullable Long number(HeaderField field) {
    return read(field, value -> number(field.header(), value));
  }

  /** A JSON object of strings; null when absent or refused. */
  public @Nullable Map<String, @Nullable String> strings(HeaderField field) {
    return read(field, value -> JsonText.strings(field.header(), value));
  }

  private <T> @Nullable T read(HeaderField field, Function<String, T> type) {
    return checks.optional(given.get(field), type);
  }

  private static long number(String header, String value) {
    if (value.isEmpty() || !value.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new SchemaException(header, "must be a whole number");
    }
    if (value.length() > MAX_DIGITS) {
      throw new SchemaException(header, "is out of range");
    }
    return Long.parseLong(value);
  }

  /**
   * Returns the request if no header was refused.
   *
   * @param request builds it; its violations are reported under the header's name
   * @throws SchemaException naming every refused header
   */
  public <T> T end(Supplier<T> request) {
    return checks.end(() -> named(request));
  }

  private static <T> T named(Supplier<T> request) {
    try {
      return request.get();
    } catch (SchemaException e) {
      throw new SchemaException(e.violations().stream().map(HeaderFields::named).toList());
    }
  }

  private static FieldViolation named(FieldViolation refused) {
    String[] path = refused.field().split("\\.", 2);
    HeaderField field = HeaderField.ofField(path[0]);
    String header = field != null ? field.header() : refused.field();
    boolean isInside = field != null && path.length > 1;
    return new FieldViolation(isInside ? header + "." + path[1] : header, refused.message());
  }
}
