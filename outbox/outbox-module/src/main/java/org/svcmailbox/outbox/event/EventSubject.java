package org.svcmailbox.outbox.event;

/**
 * The subject that an event is published under: {@code {context}.event.{name}.v{n}}, or {@code
 * {context}.dlq.{original subject}} for the news that a message became a dead letter.
 *
 * @param value such as {@code shop.event.order_placed.v1}; at most 1,000 characters
 */
public record EventSubject(String value) {
  private static final String FORM =
      "One is {context}.event.{name}.v{version}, or {context}.dlq.{subject}: a context or name"
          + " begins with a letter, and has up to 63 letters, digits, _ and -;"
          + " a version is from 1 to 999999999";

  /** The most characters of a value that a message quotes. */
  private static final int MAX_SHOWN = 200;

  private static final int MAX_NAME = 63;
  private static final int MAX_DIGITS = 9;

  /** The tokens of a subject that is no dead letter's. */
  private static final int TOKENS = 4;

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
    if (value.length() > MAX_LENGTH || !isSubject(value.split("\\.", -1))) {
      throw new OutboxException(
          ErrorCode.INVALID_SUBJECT, "\"" + shown(value) + "\" is no subject. " + FORM);
    }
  }

  private static String shown(String value) {
    String start = value.length() > MAX_SHOWN ? value.substring(0, MAX_SHOWN) + "..." : value;
    return start.replaceAll("\\p{Cntrl}", "?");
  }

  /** By hand: with a regular expression it took a tenth of the CPU time of a publisher. */
  private static boolean isSubject(String[] tokens) {
    int event = tokens.length - TOKENS + 1;
    if (event < 1
        || !tokens[event].equals("event")
        || !isName(tokens[event + 1])
        || !isVersion(tokens[event + 2])) {
      return false;
    }
    for (int i = 0; i < event; i++) {
      if (i % 2 == 0 ? !isName(tokens[i]) : !tokens[i].equals("dlq")) {
        return false;
      }
    }
    return event % 2 == 1;
  }

  private static boolean isVersion(String token) {
    if (token.length() < 2 || token.length() > MAX_DIGITS + 1 || token.charAt(0) != 'v') {
      return false;
    }
    for (int i = 1; i < token.length(); i++) {
      if (!isDigit(token.charAt(i))) {
        return false;
      }
    }
    return token.charAt(1) != '0';
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

  /** Whether it announces a dead letter. */
  public boolean isDeadLetter() {
    return value.startsWith(DLQ, value.indexOf('.') + 1);
  }

  /** Whether this can be a context or the name of an event. */
  public static boolean isName(String text) {
    if (text.isEmpty() || text.length() > MAX_NAME || !isLetter(text.charAt(0))) {
      return false;
    }
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isLetter(c) && !isDigit(c) && c != '_' && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** The bounded context. */
  public String context() {
    return value.substring(0, value.indexOf('.'));
  }

  /** The event's name. */
  public String eventType() {
    if (isDeadLetter()) {
      return DEAD_LETTER_TYPE;
    }
    int end = value.lastIndexOf('.');
    return value.substring(value.lastIndexOf('.', end - 1) + 1, end);
  }

  /** The event's version. */
  public int version() {
    return isDeadLetter() ? 1 : Integer.parseInt(value.substring(value.lastIndexOf('.') + 2));
  }

  @Override
  public String toString() {
    return value;
  }
}
