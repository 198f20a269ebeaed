package org.svcmailbox.core.redrive.action;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.redrive.LetterMover;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/**
 * Turns letters back into the original messages: same id, same shard, first attempt.
 *
 * @param ttl their new time to live; null keeps each letter's own
 * @param note names the job in the histories
 */
public record RedriveInPlace(
    LetterMover mover, @Nullable Duration ttl, String note, InstantSource wall)
    implements LetterAction {

  /** Whether the letter's shard still takes messages; true for unreadable letters. */
  public static boolean isShardReady(DeadLetter letter, Topic topic) {
    Envelope envelope = letter.envelope();
    return envelope == null || envelope.shard() < topic.settings().readyShards();
  }

  @Override
  public boolean needsSteadyTopic() {
    return true;
  }

  @Override
  public TakenLetters take(List<DeadLetter> letters) {
    return new Redrives(mover.take(letters), ttl, note, wall.instant());
  }

  private static final class Redrives implements TakenLetters {
    private final LetterMover.Transaction transaction;
    private final @Nullable Duration newTtl;
    private final String note;
    private final Instant now;
    private final Map<LetterPosition, ShardId> staged = new HashMap<>();
    private final Map<LetterPosition, String> failed = new HashMap<>();
    private @Nullable String refusal;

    Redrives(
        LetterMover.Transaction transaction, @Nullable Duration newTtl, String note, Instant now) {
      this.transaction = transaction;
      this.newTtl = newTtl;
      this.note = note;
      this.now = now;
    }

    @Override
    public Set<LetterPosition> stage(@Nullable Topic topic) {
      transaction.letters().values().stream()
          .sorted(Comparator.comparing(content -> content.letter().position()))
          .forEach(content -> stage(content, topic));
      return staged.keySet();
    }

    private void stage(LetterContent content, @Nullable Topic topic) {
      LetterPosition position = content.letter().position();
      Envelope envelope = content.letter().envelope();
      if (envelope == null) {
        failed.put(position, UNREADABLE);
      } else if (topic == null) {
        refusal = "the topic is gone";
      } else if (!isShardReady(content.letter(), topic)) {
        refusal = "the topic now has fewer shards";
      } else {
        ShardId shard = topic.shard(envelope.shard());
        transaction.redrive(position, shard, message(content, envelope, topic));
        staged.put(position, shard);
      }
    }

    private StoredMessage message(LetterContent content, Envelope envelope, Topic topic) {
      Duration ttl = newTtl != null ? newTtl : content.ttl();
      return new StoredMessage(
          envelope.withAttempt(1),
          content.payload(),
          null,
          StoredMessage.expiry(now, ttl, topic.settings().retention()),
          ttl,
          RedriveHistory.of(content, now, note),
          content.trace());
    }

    @Override
    public ActionResult commit() {
      if (!staged.isEmpty()) {
        transaction.commit();
      }
      return new ActionResult(staged.keySet(), failed, refusal, new HashSet<>(staged.values()));
    }

    @Override
    public void close() {
      transaction.close();
    }
  }
}
