package org.svcmailbox.client.service;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;

/**
 * The service's reason for refusing a call.
 *
 * @param status that HTTP has for it
 * @param code its kind, such as {@code E_SCHEMA}; empty if unknown
 * @param reason a short word for the kind of refusal; empty if there is none
 * @param detail a sentence, fit for a log
 * @param msgId the message that it is about
 * @param why what is wrong with a receipt
 * @param retryAfter when to try again
 * @param left how long the lease may still last; null unless an extension was too long
 */
public record ServiceProblem(
    int status,
    String code,
    String reason,
    String detail,
    @Nullable String msgId,
    Why why,
    @Nullable Duration retryAfter,
    @Nullable Duration left) {
  private static final int MAX_DETAIL = 500;
  private static final Pattern CONTROLS = Pattern.compile("\\p{Cntrl}+");

  /**
   * A text of the service, made fit for a log.
   *
   * @param token never part of the result, even if the text contains it
   */
  public static String text(String given, String token) {
    String text = CONTROLS.matcher(given).replaceAll(" ");
    String scrubbed = text.replace(token, "[token]");
    return scrubbed.length() <= MAX_DETAIL ? scrubbed : scrubbed.substring(0, MAX_DETAIL);
  }

  /** The state of a receipt that a problem names. */
  public static Why why(String text) {
    return switch (text) {
      case "expired" -> Why.EXPIRED;
      case "superseded" -> Why.SUPERSEDED;
      case "acked" -> Why.ACKNOWLEDGED;
      default -> Why.EXPIRED;
    };
  }

  /** The service knows no delivery of this message; an unknown path is also a 404. */
  boolean isUnknownDelivery() {
    return status == 404 && msgId != null;
  }
}
