package org.svcmailbox.outbox.event;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The subject that an event is published under: {@code {context}.event.{name}.v{n}}.
 *
 * @param value such as {@code shop.event.order_placed.v1}
 */
public record EventSubject(String value) {
  private static final String NAME = "[A-Za-z][A-Za-z0-9_-]{0,62}";
  private static final Pattern NAMES = Pattern.compile(NAME);
  private static final Pattern SUBJECT =
      Pattern.compile("(" + NAME + ")\\.event\\.(" + NAME + ")\\.v([1-9][0-9]{0,8})");

  /**
   * Checks the form.
   *
   * @throws OutboxException with {@link ErrorCode#INVALID_SUBJECT} if the value has another
   */
  public EventSubject {
    if (!SUBJECT.matcher(value).matches()) {
      throw new OutboxException(
          ErrorCode.INVALID_SUBJECT,
          "a subject is {context}.event.{name}.v{n}, with names of " + NAME);
    }
  }

  /**
   * The subject of an event.
   *
   * @param context the bounded context that publishes it
   * @param eventType the event's name
   * @param version from 1 to 999,999,999
   * @throws OutboxException with {@link ErrorCode#INVALID_SUBJECT} if they make none
   */
  public static EventSubject of(String context, String eventType, int version) {
    return new EventSubject(context + ".event." + eventType + ".v" + version);
  }

  /** Whether this can be a context or the name of an event. */
  public static boolean isName(String text) {
    return NAMES.matcher(text).matches();
  }

  /** The bounded context. */
  public String context() {
    return part(1);
  }

  /** The event's name. */
  public String eventType() {
    return part(2);
  }

  /** The event's version. */
  public int version() {
    return Integer.parseInt(part(3));
  }

  private String part(int group) {
    Matcher matcher = SUBJECT.matcher(value);
    if (!matcher.matches()) {
      throw new AssertionError("checked when made: " + value);
    }
    return matcher.group(group);
  }

  @Override
  public String toString() {
    return value;
  }
}
