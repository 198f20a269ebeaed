package org.svcmailbox.outbox.event;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The subject that an event is published under: {@code {context}.event.{name}.v{n}}, or {@code
 * {context}.dlq.{original subject}} for the news that a message became a dead letter.
 *
 * @param value such as {@code shop.event.order_placed.v1}; at most 1,000 characters
 */
public record EventSubject(String value) {
  private static final String NAME = "[A-Za-z][A-Za-z0-9_-]{0,62}";
  private static final Pattern NAMES = Pattern.compile(NAME);
  private static final Pattern SUBJECT =
      Pattern.compile("(" + NAME + ")\\.event\\.(" + NAME + ")\\.v([1-9][0-9]{0,8})");
  private static final Pattern DEAD_LETTER =
      Pattern.compile(
          "(" + NAME + ")\\.(?:dlq\\." + NAME + "\\.)+event\\." + NAME + "\\.v[1-9][0-9]{0,8}");

  /** The event type of a subject is stored with this in front if a message died. */
  static final String DLQ = "dlq.";

  private static final String DEAD_LETTER_TYPE = "message_dead_lettered";
  private static final int MAX_LENGTH = 1_000;

  /**
   * Checks the form.
   *
   * @throws OutboxException with {@link ErrorCode#INVALID_SUBJECT} if the value has another
   */
  public EventSubject {
    boolean matches = SUBJECT.matcher(value).matches() || DEAD_LETTER.matcher(value).matches();
    if (!matches || value.length() > MAX_LENGTH) {
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
    return eventType.startsWith(DLQ)
        ? new EventSubject(context + "." + eventType)
        : new EventSubject(context + ".event." + eventType + ".v" + version);
  }

  /** The type under which an outbox keeps the news that a message of this subject died. */
  public String deadLetterType() {
    return DLQ + value;
  }

  /** Whether it is about a message that became a dead letter. */
  public boolean isDeadLetter() {
    return !SUBJECT.matcher(value).matches();
  }

  /** Whether this can be a context or the name of an event. */
  public static boolean isName(String text) {
    return NAMES.matcher(text).matches();
  }

  /** The bounded context. */
  public String context() {
    return value.substring(0, value.indexOf('.'));
  }

  /** The event's name. */
  public String eventType() {
    Matcher matcher = SUBJECT.matcher(value);
    return matcher.matches() ? matcher.group(2) : DEAD_LETTER_TYPE;
  }

  /** The event's version. */
  public int version() {
    Matcher matcher = SUBJECT.matcher(value);
    return matcher.matches() ? Integer.parseInt(matcher.group(3)) : 1;
  }

  @Override
  public String toString() {
    return value;
  }
}
