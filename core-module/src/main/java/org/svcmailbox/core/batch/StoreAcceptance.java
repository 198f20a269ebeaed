package org.svcmailbox.core.batch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.svcmailbox.core.settings.StoreSetting;

/**
 * Refuses a start with stores that are not from the same moment, unless an operator has accepted
 * exactly this situation. The operator's code names the situation: it is useless for any other one,
 * and when the stores agree. A start may need several codes, because one finding can hide another.
 *
 * @param accepted the codes that the operator gave
 */
public record StoreAcceptance(List<String> accepted) {
  /**
   * Checks the stores of all workers.
   *
   * @throws StoresRefusedException with the code that would permit the start
   */
  public void require(List<StoreStanding> standings) {
    List<StoreStanding> mismatches =
        standings.stream().filter(standing -> standing.isMismatch()).toList();
    if (!mismatches.isEmpty()) {
      StoreStanding first = mismatches.get(0);
      require(
          first.verdict().name(),
          mismatches,
          ("%s%s%s. No message was changed. Start the server with both halves of one backup; to go"
                  + " on with these two")
              .formatted(
                  StoreMismatch.introduction(first.verdict()), first.detail(), more(mismatches)));
    }
  }

  /**
   * Checks ledgers that do not end where their last pages do.
   *
   * @throws StoresRefusedException with the code that would permit the start
   */
  void requireLedgers(List<LedgerDamage> damages) {
    if (!damages.isEmpty()) {
      require(
          "LEDGER_DAMAGED",
          damages,
          ("The database has lost pages of ledgers: %s%s. Nothing was changed. Restore a whole"
                  + " database; to go on with this one")
              .formatted(damages.get(0).detail(), more(damages)));
    }
  }

  /**
   * Checks batches that the database refuses.
   *
   * @throws StoresRefusedException with the code that permits continuing without the refused parts
   */
  void requirePassing(List<RefusedBatch> refused) {
    if (!refused.isEmpty()) {
      require(
          "DATABASE_REFUSES",
          refused,
          ("The answered messages of a worker's log cannot be written: %s%s. No message was"
                  + " changed. Mend the database; to go on without the keys and ledger entries that it"
                  + " refuses")
              .formatted(refused.get(0).detail(), more(refused)));
    }
  }

  /** Ends the text of a list whose first element is named. */
  static String more(List<?> found) {
    return found.size() == 1 ? "" : ", and " + (found.size() - 1) + " more";
  }

  private void require(String kind, List<?> found, String what) {
    String code = code(kind, found);
    if (!accepted.contains(code)) {
      throw new StoresRefusedException(
          "%s and accept the loss, start it once with %s=%s"
              .formatted(what, StoreSetting.ACCEPT.key(), with(code)));
    }
  }

  /** All given codes and one more, for an operator to copy. */
  private String with(String code) {
    return Stream.concat(accepted.stream(), Stream.of(code)).collect(Collectors.joining(","));
  }

  /** The kind of the first finding, and a checksum of all findings. */
  private static String code(String kind, List<?> found) {
    CRC32 checksum = new CRC32();
    checksum.update(found.toString().getBytes(UTF_8));
    return "%s-%08x"
        .formatted(kind.toLowerCase(Locale.ROOT).replace('_', '-'), checksum.getValue());
  }
}
