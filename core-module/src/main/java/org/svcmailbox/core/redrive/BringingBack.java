package org.svcmailbox.core.redrive;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.Place;
import org.svcmailbox.core.delivery.Readmission;
import org.svcmailbox.core.delivery.StoredMessage;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/**
 * Letters become the messages again that they were: with their ids, in the shards they came from,
 * for their first attempt.
 */
record BringingBack(LetterMover mover, Readmission readmission, InstantSource wall)
    implements Move {

  /** Whether the shard that a letter came from still takes messages; a pure look. */
  static boolean hasHome(DeadLetter letter, Topic topic) {
    Envelope envelope = letter.envelope();
    return envelope == null || envelope.shard() < topic.settings().readyShards();
  }

  @Override
  public Moved move(List<DeadLetter> letters, Plan plan) {
    DeadLetter first = letters.get(0);
    List<Place> places = letters.stream().map(DeadLetter::place).toList();
    Moved moved;
    Map<Place, ShardId> home = new HashMap<>();
    try (LetterMover.Transaction taken = mover.take(first.topic(), first.segment(), places)) {
      // Neither the shards nor the topic may go between the look at them and the commit.
      moved = readmission.whileSteady(first.topic(), topic -> bringBack(topic, taken, home, plan));
    }
    readmission.arrived(new HashSet<>(home.values()));
    return moved;
  }

  private Moved bringBack(
      @Nullable Topic topic, LetterMover.Transaction taken, Map<Place, ShardId> home, Plan plan) {
    Map<Place, String> failed = new HashMap<>();
    String refusal = topic == null ? "there is no topic any more" : null;
    List<LetterContent> inOrder =
        taken.letters().values().stream()
            .sorted(Comparator.comparing(content -> content.letter().place()))
            .toList();
    for (LetterContent content : inOrder) {
      Place place = content.letter().place();
      Envelope envelope = content.letter().envelope();
      if (envelope == null) {
        failed.put(place, Letters.UNREADABLE);
      } else if (topic != null && hasHome(content.letter(), topic)) {
        home.put(place, topic.shard(envelope.shard()));
        taken.bringBack(place, topic.shard(envelope.shard()), message(content, envelope, topic));
      } else if (refusal == null) {
        refusal = "the topic has fewer shards since";
      }
    }
    if (!home.isEmpty()) {
      plan.about(home.keySet());
      taken.commit();
    }
    return new Moved(home.keySet(), failed, refusal);
  }

  private StoredMessage message(LetterContent content, Envelope envelope, Topic topic) {
    Instant now = wall.instant();
    return new StoredMessage(
        envelope.withAttempt(1),
        content.payload(),
        null,
        StoredMessage.expiry(now, content.ttl(), topic.settings().retention()),
        content.ttl(),
        Letters.reprocessed(content, now, ""),
        content.trace());
  }
}
