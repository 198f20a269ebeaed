package org.svcmailbox.core.deadletter;

import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.batch.StoredLedgers;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.topic.Topic;

/** Compares a letter with its ledger entry and the link before it. Any thread. */
final class LetterCheck {
  private final StoredLedgers ledgers;

  LetterCheck(StoredLedgers ledgers) {
    this.ledgers = ledgers;
  }

  Evidence of(Topic topic, LetterContent content) {
    DeadLetter letter = content.letter();
    Envelope envelope = letter.envelope();
    if (envelope == null && letter.reason() == DeadLetterReason.INTEGRITY) {
      return Evidence.ALTERED;
    }
    if (envelope == null || envelope.seq() < 1) {
      return Evidence.UNKNOWN;
    }
    boolean isItself =
        envelope.topic().equals(topic.name())
            && envelope.msgId().equals(letter.msgId())
            && envelope.isIntact(content.payload());
    return isItself
        ? compare(new LedgerId(topic.id(), envelope.shard()), envelope)
        : Evidence.ALTERED;
  }

  private Evidence compare(LedgerId ledger, Envelope envelope) {
    long seq = envelope.seq();
    List<LedgerEntry> around = ledgers.entries(ledger, Math.max(1, seq - 1), 2);
    // Read after the entries, so that an entry trimmed in between counts as trimmed.
    LedgerHead start = ledgers.start(ledger);
    if (seq <= start.seq()) {
      return Evidence.TRIMMED;
    }
    Optional<LedgerEntry> entry = at(around, seq);
    LedgerHead before = at(around, seq - 1).map(LedgerHead::after).orElse(start);
    // Compares the link too, because an entry rewritten alone would not continue the chain.
    LedgerEntry sent = before.append(envelope.msgId(), envelope.hashChain());
    if (entry.filter(sent::equals).isPresent()) {
      return Evidence.INTACT;
    }
    if (isOfAnEarlierTopic(ledger, envelope, start)) {
      return Evidence.UNKNOWN;
    }
    if (entry.isPresent()) {
      return Evidence.ALTERED;
    }
    boolean isBeyond = around.stream().anyMatch(later -> later.seq() > seq);
    return isBeyond ? Evidence.NOT_FOUND : Evidence.UNKNOWN;
  }

  private static Optional<LedgerEntry> at(List<LedgerEntry> entries, long seq) {
    return entries.stream().filter(entry -> entry.seq() == seq).findFirst();
  }

  /** A recreated topic starts a new ledger. */
  private boolean isOfAnEarlierTopic(LedgerId ledger, Envelope envelope, LedgerHead start) {
    return ledgers.entries(ledger, start.seq() + 1, 1).stream()
        .anyMatch(first -> first.msgId().createdAt().isAfter(envelope.ts()));
  }
}
