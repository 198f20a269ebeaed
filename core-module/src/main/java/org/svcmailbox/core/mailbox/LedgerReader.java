package org.svcmailbox.core.mailbox;

import java.util.List;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.batch.StoredLedgers;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerService;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;

/** Reads and checks ledgers, a bounded number of entries at a time. Any thread. */
final class LedgerReader implements LedgerService {
  private final TopicDirectory topics;
  private final StoredLedgers ledgers;
  private final OwnerTasks owners;

  LedgerReader(TopicDirectory topics, StoredLedgers ledgers, OwnerTasks owners) {
    this.owners = owners;
    this.topics = topics;
    this.ledgers = ledgers;
  }

  @Override
  public Stretch ledger(Caller caller, TopicName topic, int shard, long from, int limit) {
    LedgerId id = id(caller, topic, shard);
    LedgerHead start = before(id, from);
    return new Stretch(start, ledgers.entries(id, start.seq() + 1, limit));
  }

  @Override
  public LedgerVerdict verify(Caller caller, TopicName topic, int shard, long from) {
    LedgerId id = id(caller, topic, shard);
    LedgerHead head = before(id, from);
    int checked = 0;
    List<LedgerEntry> entries;
    do {
      entries = ledgers.entries(id, head.seq() + 1, MAX_STRETCH);
      LedgerVerdict verdict = LedgerVerdict.check(head, entries);
      if (verdict instanceof LedgerVerdict.BrokenAt) {
        return verdict;
      }
      head = entries.isEmpty() ? head : LedgerHead.after(entries.get(entries.size() - 1));
      checked += entries.size();
    } while (!entries.isEmpty() && checked < MAX_CHECKED);
    return new LedgerVerdict.Intact(head.seq());
  }

  /** The head before entry {@code from}, or before the first kept entry. */
  private LedgerHead before(LedgerId ledger, long from) {
    LedgerHead start = ledgers.start(ledger);
    if (from <= start.seq() + 1) {
      return start;
    }
    return ledgers.entries(ledger, from - 1, 1).stream()
        .filter(entry -> entry.seq() == from - 1)
        .findFirst()
        .map(LedgerHead::after)
        .orElseThrow(() -> new NotFoundException("the ledger has no entry " + (from - 1)));
  }

  /** The ledger, which the database has as far as SENDs were answered. */
  private LedgerId id(Caller caller, TopicName name, int shard) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, name);
    Topic topic = topics.existing(name);
    if (shard >= topic.state().madeShards()) {
      throw new NotFoundException(name + " has no shard " + shard);
    }
    owners.followLedger(caller, topic, shard);
    return new LedgerId(topic.id(), shard);
  }
}
