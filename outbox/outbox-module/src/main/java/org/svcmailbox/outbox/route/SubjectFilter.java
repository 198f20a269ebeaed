package org.svcmailbox.outbox.route;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxException;

/**
 * A pattern of subjects: tokens with dots between them. {@code *} stands for any one token, and
 * {@code >} at the end for one or more.
 *
 * @param value such as {@code shop.event.>}; at most 255 characters
 */
public record SubjectFilter(String value) {
  private static final int MAX_LENGTH = 255;
  private static final Pattern FILTER =
      Pattern.compile("(?:\\*|[A-Za-z0-9_-]+)(?:\\.(?:\\*|[A-Za-z0-9_-]+))*(?:\\.>)?|>");

  /**
   * Checks the form.
   *
   * @throws OutboxException with {@link ErrorCode#INVALID_CONFIG} if the value has another
   */
  public SubjectFilter {
    if (value.length() > MAX_LENGTH || !FILTER.matcher(value).matches()) {
      throw new OutboxException(
          ErrorCode.INVALID_CONFIG, "'" + value + "' is no filter such as shop.event.>");
    }
  }

  /** Whether a subject matches. */
  public boolean matches(String subject) {
    List<String> filter = tokens(value);
    List<String> tokens = tokens(subject);
    for (int i = 0; i < filter.size(); i++) {
      if (filter.get(i).equals(">")) {
        return i < tokens.size();
      }
      if (i >= tokens.size() || !isMatch(filter.get(i), tokens.get(i))) {
        return false;
      }
    }
    return filter.size() == tokens.size();
  }

  /** Whether a subject can match both. */
  public boolean overlaps(SubjectFilter other) {
    List<String> one = tokens(value);
    List<String> two = tokens(other.value);
    for (int i = 0; i < Math.min(one.size(), two.size()); i++) {
      if (one.get(i).equals(">") || two.get(i).equals(">")) {
        return true;
      }
      if (!isMatch(one.get(i), two.get(i)) && !isMatch(two.get(i), one.get(i))) {
        return false;
      }
    }
    return one.size() == two.size();
  }

  private static boolean isMatch(String token, String subject) {
    return token.equals("*") || token.equals(subject);
  }

  private static List<String> tokens(String text) {
    return Arrays.asList(text.split("\\.", -1));
  }

  @Override
  public String toString() {
    return value;
  }
}
