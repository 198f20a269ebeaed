package org.svcmailbox.web.deadletter;

import java.util.Map;
import java.util.TreeMap;
import org.svcmailbox.core.message.DeadLetterReason;

/** Numbers of dead letters by reason, as a JSON object sorted by name. */
public final class ReasonCounts {
  private ReasonCounts() {}

  public static Map<String, Long> json(Map<DeadLetterReason, Long> counts) {
    Map<String, Long> byText = new TreeMap<>();
    counts.forEach((reason, count) -> byText.put(reason.text(), count));
    return byText;
  }
}
