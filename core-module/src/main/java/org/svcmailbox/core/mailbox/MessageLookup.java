package org.svcmailbox.core.mailbox;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.batch.Taken;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.store.CapabilityNames;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.lookup.Biography;
import org.svcmailbox.core.lookup.LookupService;
import org.svcmailbox.core.lookup.MessageSearch;
import org.svcmailbox.core.lookup.Verdict;
import org.svcmailbox.core.mailbox.MessagePlaces.Shard;
import org.svcmailbox.core.mailbox.MessagePlaces.Sources;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/** Finds messages in all places of the mailbox. Any thread. */
final class MessageLookup implements LookupService {
  private final Sources sources;
  private final CapabilityNames names;
  private final CapacityLimit limit;
  private final Ticker ticker;
  private final InstantSource wall;

  MessageLookup(
      Sources sources,
      CapabilityNames names,
      CapacityLimit limit,
      Ticker ticker,
      InstantSource wall) {
    this.sources = sources;
    this.names = names;
    this.limit = limit;
    this.ticker = ticker;
    this.wall = wall;
  }

  @Override
  public Biography biography(Caller caller, MsgId msgId) {
    caller.requireAnywhere(Operation.PEEK);
    List<Shard> all = shards(caller, msgId);
    if (all.isEmpty()) {
      throw unknown(msgId);
    }
    return limit.counted(() -> find(caller, msgId, all));
  }

  private static NotFoundException unknown(MsgId msgId) {
    return new NotFoundException("no message is " + msgId);
  }

  private Biography find(Caller caller, MsgId msgId, List<Shard> all) {
    List<Shard> some = all.subList(0, Math.min(MOST_SHARDS, all.size()));
    MessagePlaces places =
        new MessagePlaces(
            sources, some, msgId, topic -> caller.may(Operation.PEEK, topic), ticker, PATIENCE);
    MessageSearch.Found found = MessageSearch.run(places, some.size() == all.size());
    TopicName topic = found.topic() != null ? found.topic() : places.ackedIn();
    Verdict verdict =
        new Verdict(
            msgId,
            found,
            places.acked(),
            topic,
            topic != null && caller.may(Operation.AUDIT, topic),
            topic != null && caller.may(Operation.DLQ_VIEW, topic));
    if (verdict.isOfNothing()) {
      throw unknown(msgId);
    }
    return named(verdict.biography(wall.instant()));
  }

  private Biography named(Biography told) {
    try {
      return told.with(names.names(told.nonces()));
    } catch (UnavailableException e) {
      // The nonces tell enough.
      return told;
    }
  }

  /** The shards whose messages can have such an id, with those that are closed since. */
  private List<Shard> shards(Caller caller, MsgId msgId) {
    List<Shard> all = new ArrayList<>();
    for (Topic topic : sources.topics().all()) {
      for (int index = 0; index < topic.state().madeShards(); index++) {
        ShardId id = new ShardId(topic.name(), index);
        if (id.slot() == msgId.slot() && caller.may(Operation.PEEK, topic.name())) {
          all.add(new Shard(topic, id));
        }
      }
    }
    all.sort(Comparator.comparing(shard -> shard.id().toString()));
    return all;
  }

  @Override
  public Matches byKey(Caller caller, TopicName name, IdemKey key) {
    Topic topic = require(caller, name);
    LetterFilter filter = filter(key.value(), null);
    return limit.counted(() -> matches(caller, name, filter, IdempotencyKey.of(topic, key)));
  }

  @Override
  public Matches byCorrId(Caller caller, TopicName name, CorrId corrId) {
    require(caller, name);
    LetterFilter filter = filter(null, corrId.value());
    return limit.counted(() -> matches(caller, name, filter, null));
  }

  private Topic require(Caller caller, TopicName name) {
    caller.require(Operation.PEEK, name);
    caller.require(Operation.DLQ_VIEW, name);
    return sources.topics().existing(name);
  }

  private static LetterFilter filter(@Nullable String idemKey, @Nullable String corrId) {
    return new LetterFilter(
        null, List.of(), null, null, null, idemKey, corrId, Map.of(), List.of(), null);
  }

  private Matches matches(
      Caller caller, TopicName name, LetterFilter filter, @Nullable IdempotencyKey key) {
    Map<MsgId, Match> found = new LinkedHashMap<>();
    boolean isComplete = key == null || addHolder(key, found);
    try {
      List<DeadLetter> letters =
          sources
              .letters()
              .list(caller, name, filter, LetterPosition.LAST, MOST_MATCHES + 1)
              .letters();
      for (DeadLetter letter : letters) {
        Match match = new Match(letter.msgId(), Source.LETTER, letter.deadAt());
        found.merge(match.msgId(), match, MessageLookup::joined);
      }
    } catch (UnavailableException e) {
      isComplete = false;
    }
    List<Match> first = found.values().stream().limit(MOST_MATCHES).toList();
    return new Matches(first, isComplete && first.size() == found.size());
  }

  /** A match with the time of its newest letter. */
  private static Match joined(Match earlier, Match letter) {
    return earlier.deadAt() != null
        ? earlier
        : new Match(earlier.msgId(), earlier.source(), letter.deadAt());
  }

  /** Returns whether the holder of the key is known, or there is none. */
  private boolean addHolder(IdempotencyKey key, Map<MsgId, Match> found) {
    Taken taken = sources.registry().find(Set.of(key), wall.instant()).get(key);
    if (taken instanceof Taken.Confirmed confirmed) {
      MsgId msgId = confirmed.reservation().msgId();
      found.put(msgId, new Match(msgId, Source.KEY, null));
    }
    return taken == null || taken instanceof Taken.Confirmed || taken instanceof Taken.Expired;
  }
}
