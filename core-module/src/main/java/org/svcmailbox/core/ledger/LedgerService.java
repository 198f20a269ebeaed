package org.svcmailbox.core.ledger;

import java.util.List;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;

/**
 * The ledgers as operators and auditors read them. Needs the right to {@code peek} into the topic,
 * or {@code admin}; throws {@code DeniedException} without these rights, {@code NotFoundException}
 * when the topic or the shard never existed, and {@code UnavailableException} when the database is
 * away.
 */
public interface LedgerService {
  /** The most entries of one stretch. */
  int MAX_STRETCH = 1_000;

  /** The most entries of one check. */
  int MAX_CHECKED = 1_000_000;

  /**
   * A stretch of a shard's ledger, for clients that check it themselves.
   *
   * @param start the head before the first entry, as far as it is kept
   * @param entries in order, without gaps
   */
  record Stretch(LedgerHead start, List<LedgerEntry> entries) {}

  /**
   * Reads a stretch.
   *
   * @param from the first entry's number, at least 1; if that entry is no longer kept, the stretch
   *     begins with the first kept one
   * @param limit the most entries, 1 to {@link #MAX_STRETCH}
   */
  Stretch ledger(Caller caller, TopicName topic, int shard, long from, int limit);

  /**
   * Checks that every entry follows from the one before, at most {@link #MAX_CHECKED} of them; the
   * next check may go on from where this one ended.
   *
   * @param from the first entry to check, as above
   */
  LedgerVerdict verify(Caller caller, TopicName topic, int shard, long from);
}
