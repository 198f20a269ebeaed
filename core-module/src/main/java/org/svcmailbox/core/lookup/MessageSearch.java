package org.svcmailbox.core.lookup;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Looks into all places of a message, one after the other, although it moves meanwhile.
 *
 * <p>A place is looked into again before anything is inferred: after the ledger, where a message is
 * once its SEND is answered. A message then escapes only if it moves four times between eight
 * looks, each time into a place that was just seen.
 */
public final class MessageSearch {
  /** The places. Each method may throw {@link UnavailableException}. */
  public interface Places {
    /** The messages that the worker holds: leased, or prefetched and ready. */
    Look<Sighting> held();

    /** The dead letters. */
    Look<Sighting> letters();

    /** The queues: scheduled, ready, and delivered to a worker that has not yet read it. */
    Look<Sighting> queues();

    /**
     * The ledgers.
     *
     * @param seen tells where the entry should be; null if nothing does
     */
    Look<LedgerPlace> ledgers(@Nullable Sighting seen);

    /** Whether no time is left. */
    boolean isOver();
  }

  /**
   * The result of a search.
   *
   * @param isComplete whether every place was seen as far as it was needed
   */
  public record Found(@Nullable Sighting seen, @Nullable LedgerPlace entry, boolean isComplete) {
    /** The topic of the message; null if neither a place nor a ledger tells it. */
    public @Nullable TopicName topic() {
      return seen != null ? seen.topic() : entry != null ? entry.shard().topic() : null;
    }
  }

  private final Places places;
  private boolean isComplete;

  private MessageSearch(Places places, boolean isWhole) {
    this.places = places;
    this.isComplete = isWhole;
  }

  /**
   * Searches all places.
   *
   * @param isWhole whether these are all that the message can be in
   */
  public static Found run(Places places, boolean isWhole) {
    return new MessageSearch(places, isWhole).run();
  }

  private Found run() {
    Sighting first = pass();
    LedgerPlace entry = look(() -> places.ledgers(first));
    Sighting seen = first != null ? first : pass();
    seen = seen != null ? seen : look(places::held);
    seen = seen != null ? seen : look(places::letters);
    return new Found(seen, entry, isComplete);
  }

  private @Nullable Sighting pass() {
    Sighting held = look(places::held);
    Sighting dead = held == null ? look(places::letters) : null;
    if (held != null || dead != null) {
      return held != null ? held : dead;
    }
    Sighting queued = look(places::queues);
    // A list of a queue may be older than a lease.
    Sighting leased = queued != null ? look(places::held) : null;
    return leased != null ? leased : queued;
  }

  private <T> @Nullable T look(Supplier<Look<T>> place) {
    if (places.isOver()) {
      isComplete = false;
      return null;
    }
    try {
      Look<T> look = place.get();
      isComplete &= look.isWhole() || look.seen() != null;
      return look.seen();
    } catch (UnavailableException e) {
      isComplete = false;
      return null;
    }
  }
}
