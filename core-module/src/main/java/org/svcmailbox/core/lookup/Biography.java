package org.svcmailbox.core.lookup;

import static java.util.stream.Collectors.toSet;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/**
 * All that is known of one message.
 *
 * @param isComplete whether every place answered, as far as it was needed
 * @param topic null if neither a place nor a ledger tells it
 * @param shard null likewise
 * @param seq its number in the ledger; null likewise
 * @param envelope null if it was not seen
 * @param until when its lease ends or it is due; null for neither
 * @param facts in order
 * @param names of the capabilities in the facts, by nonce; without those that have none
 */
public record Biography(
    MsgId msgId,
    Whereabouts now,
    boolean isComplete,
    Instant lookedAt,
    @Nullable TopicName topic,
    @Nullable Integer shard,
    @Nullable Long seq,
    @Nullable Envelope envelope,
    @Nullable Instant until,
    List<Fact> facts,
    Map<String, String> names) {
  public Biography {
    facts = List.copyOf(facts);
    names = Map.copyOf(names);
  }

  /** The nonces of the capabilities in the facts. */
  public Set<String> nonces() {
    return facts.stream().flatMap(fact -> Stream.ofNullable(fact.by())).collect(toSet());
  }

  /** The same with names. */
  public Biography with(Map<String, String> known) {
    return new Biography(
        msgId, now, isComplete, lookedAt, topic, shard, seq, envelope, until, facts, known);
  }
}
