package org.svcmailbox.client.verify;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A link that is known from elsewhere, such as an earlier export or another keeper. A ledger that
 * was rewritten does not meet it.
 *
 * @param seq the number of the entry
 * @param link its link, as text
 */
public record LedgerAnchor(long seq, String link) {
  private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,17}):(b3:[0-9a-f]{64})");

  /**
   * Reads {@code SEQ:LINK}, such as {@code 17:b3:5f...}.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static LedgerAnchor parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("an anchor is SEQ:LINK, with LINK as b3: and 64 digits");
    }
    return new LedgerAnchor(Long.parseLong(form.group(1)), form.group(2));
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    return seq + ":" + link;
  }
}
