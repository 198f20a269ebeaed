package org.svcmailbox.core.redrive;

import java.util.Collection;
import java.util.Map;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.Place;
import org.svcmailbox.core.delivery.StoredMessage;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;

/** Takes letters out of their queues. Safe for many threads. */
public interface LetterMover {
  /**
   * Takes letters of one queue; nobody else gets them until the transaction ends. Those that do not
   * come within half a second are left out: they may be gone, or in somebody else's hands.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException when the broker is away
   */
  Transaction take(TopicName topic, int segment, Collection<Place> places);

  /**
   * One transaction of the broker. Owned by one thread. Every method but {@link #close} throws
   * {@code UnavailableException} when the broker is away, or the outcome is not known.
   */
  interface Transaction extends AutoCloseable {
    /** The letters that were taken. */
    Map<Place, LetterContent> letters();

    /** Stages the end of a letter. */
    void discard(Place place);

    /** Stages a message for the end of a shard's queue, together with the end of a letter. */
    void bringBack(Place place, ShardId shard, StoredMessage message);

    /** Makes everything staged durable; on return it is on disk. */
    void commit();

    /** Gives back what was not committed; never throws. */
    @Override
    void close();
  }
}
