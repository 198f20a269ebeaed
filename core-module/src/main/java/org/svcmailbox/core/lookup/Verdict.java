package org.svcmailbox.core.lookup;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Turns what a search found into a biography.
 *
 * @param ended the worker's memory of an acknowledgement; null for none
 * @param topic the topic of the message; null if nothing tells it
 * @param seesHolders whether the caller may know which capability did what
 * @param seesReasons whether the caller may read why deliveries failed
 */
public record Verdict(
    MsgId msgId,
    MessageSearch.Found found,
    @Nullable Fact ended,
    @Nullable TopicName topic,
    boolean seesHolders,
    boolean seesReasons) {

  /** Whether the message is in no place, and every place was seen. */
  public boolean isOfNothing() {
    return found.isComplete() && found.seen() == null && found.entry() == null && ended == null;
  }

  /** The biography at a time. */
  public Biography biography(Instant now) {
    Sighting seen = found.seen();
    LedgerPlace entry = found.entry();
    Envelope envelope = seen == null ? null : seen.envelope();
    return new Biography(
        msgId,
        whereabouts(),
        found.isComplete(),
        now,
        topic,
        envelope != null
            ? (Integer) envelope.shard()
            : entry != null ? (Integer) entry.shard().index() : null,
        envelope != null ? (Long) envelope.seq() : entry != null ? (Long) entry.seq() : null,
        envelope,
        seen == null ? null : seen.until(),
        facts(envelope),
        Map.of());
  }

  private Whereabouts whereabouts() {
    Sighting seen = found.seen();
    if (seen != null) {
      return seen.where();
    }
    boolean isGone = ended != null || (found.isComplete() && found.entry() != null);
    return isGone ? Whereabouts.GONE : Whereabouts.UNKNOWN;
  }

  private List<Fact> facts(@Nullable Envelope envelope) {
    List<Fact> facts = new ArrayList<>();
    LedgerPlace entry = found.entry();
    if (found.seen() != null || entry != null || ended != null) {
      facts.add(sent(envelope));
    }
    if (entry != null) {
      String note = "entry " + entry.seq() + " of shard " + entry.shard().index();
      facts.add(new Fact(Fact.Kind.LEDGER, null, true, null, null, note));
    }
    Sighting seen = found.seen();
    if (seen != null) {
      seen.history().events().forEach(event -> facts.add(reasoned(Fact.of(event))));
      facts.add(reasoned(seen.state()));
    } else if (ended != null) {
      facts.add(ended);
    }
    if (whereabouts() == Whereabouts.GONE) {
      String note = "sent, and in no other place: acknowledged, discarded or removed";
      facts.add(new Fact(Fact.Kind.GONE, null, false, null, null, ended == null ? note : ""));
    }
    return facts.stream().map(fact -> seesHolders ? fact : fact.withoutHolder()).toList();
  }

  private Fact sent(@Nullable Envelope envelope) {
    return envelope != null
        ? new Fact(Fact.Kind.SENT, envelope.ts(), true, null, null, "")
        : new Fact(Fact.Kind.SENT, msgId.createdAt(), false, null, null, "");
  }

  private Fact reasoned(Fact fact) {
    return seesReasons ? fact : fact.withoutNote();
  }
}
