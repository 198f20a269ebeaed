package org.svcmailbox.core.redrive;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;

/** Takes letters out of their queues. Any thread. */
public interface LetterMover {
  /**
   * Takes letters of one queue exclusively. Letters that the broker does not deliver within half a
   * second are left out: they may be gone, or held by others.
   */
  Transaction take(TopicName topic, int segment, Collection<LetterPosition> positions);

  /** As above, for at least one letter, all of the same queue. */
  default Transaction take(List<DeadLetter> letters) {
    DeadLetter first = letters.get(0);
    return take(
        first.topic(), first.segment(), letters.stream().map(DeadLetter::position).toList());
  }

  /**
   * One transaction of the broker, owned by one thread. Every method except {@link #close} throws
   * {@code UnavailableException} when the broker is away or the outcome is unknown.
   */
  interface Transaction extends AutoCloseable {
    /** The letters that were taken. */
    Map<LetterPosition, LetterContent> letters();

    /** Stages the removal of a letter. */
    void discard(LetterPosition position);

    /** Stages the removal of a letter together with a message at the end of a shard's queue. */
    void redrive(LetterPosition position, ShardId shard, StoredMessage message);

    /** Commits the staged changes; on disk on return. */
    void commit();

    /** Returns letters that were not committed to their queue. Never throws. */
    @Override
    void close();
  }
}
