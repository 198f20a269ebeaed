package org.svcmailbox.core.ledger;

import java.util.List;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;

/**
 * The ledgers for operators and auditors. Needs the right to {@code peek} into the topic, or {@code
 * admin}. Throws {@code DeniedException} without these rights, {@code NotFoundException} if the
 * topic or the shard never existed, and {@code UnavailableException} when the database is away.
 */
public interface LedgerService {
  /** The most entries in one answer. */
  int MAX_STRETCH = 1_000;

  /** The most entries in one check. */
  int MAX_CHECKED = 1_000_000;

  /**
   * Consecutive entries of a shard's ledger, for clients that check them themselves.
   *
   * @param start the head before the first entry
   * @param entries in order, without gaps
   */
  record Stretch(LedgerHead start, List<LedgerEntry> entries) {}

  /**
   * Reads consecutive entries.
   *
   * @param from the first entry's number, at least 1; if that entry was trimmed, the answer begins
   *     with the first kept one
   * @param limit the most entries, 1 to {@link #MAX_STRETCH}
   */
  Stretch ledger(Caller caller, TopicName topic, int shard, long from, int limit);

  /**
   * Checks that every entry follows from the one before, for at most {@link #MAX_CHECKED} entries.
   * The next check may continue where this one ended.
   *
   * @param from the first entry to check, as above
   */
  LedgerVerdict verify(Caller caller, TopicName topic, int shard, long from);
}
