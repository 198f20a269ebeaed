package org.svcmailbox.core.sendlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;
import org.svcmailbox.core.sendlog.LogStanding.Verdict;
import org.svcmailbox.core.settings.Setting;

/**
 * Refuses a start with stores that are not from the same moment, unless an operator has accepted
 * exactly this situation. The code names it: it is of no use for any other, and none once the
 * stores agree.
 */
public record StoreAcceptance(Optional<String> accepted) {
  /**
   * Judges a start.
   *
   * @throws StoresRefusedException with the code that would permit it
   */
  public void require(List<LogStanding> standings) {
    List<LogStanding> mismatches =
        standings.stream().filter(standing -> standing.isMismatch()).toList();
    if (mismatches.isEmpty()) {
      return;
    }
    String code = code(mismatches);
    if (accepted.filter(code::equals).isEmpty()) {
      throw refusal(mismatches, code);
    }
  }

  private static StoresRefusedException refusal(List<LogStanding> mismatches, String code) {
    String more = mismatches.size() == 1 ? "" : ", and " + (mismatches.size() - 1) + " more";
    return new StoresRefusedException(
        ("%s%s%s. No message was changed. Start the server with both halves of one backup; to go on"
                + " with these two and accept the loss, start it once with %s=%s")
            .formatted(
                StoreMismatch.introduction(mismatches.get(0).verdict()),
                mismatches.get(0).detail(),
                more,
                Setting.ACCEPT.key(),
                code));
  }

  /** The kind of the first mismatch, and a checksum of all. */
  private static String code(List<LogStanding> mismatches) {
    Verdict first = mismatches.get(0).verdict();
    CRC32 checksum = new CRC32();
    checksum.update(mismatches.toString().getBytes(UTF_8));
    return "%s-%08x"
        .formatted(first.name().toLowerCase(Locale.ROOT).replace('_', '-'), checksum.getValue());
  }
}
