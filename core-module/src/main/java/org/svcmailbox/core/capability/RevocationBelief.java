package org.svcmailbox.core.capability;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller.Standing;
import org.svcmailbox.core.capability.caveat.CapabilityId;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The store's answers about revocations, by capability. A fresh one spares the question, an older
 * one counts while the store is away. Narrowing a token makes no entry, so only operators, who
 * mint, can fill it. Any thread.
 */
final class RevocationBelief {
  /** As many as {@code capability.max_minted} by default. */
  static final int MOST = 100_000;

  /** Calls that may wait for a store that is silent, of those that could do without it. */
  private static final int MOST_ASKING = 16;

  /** {@link BeliefTerms} decide, to the nanosecond; a cache does not. */
  private static final Duration SLACK = Duration.ofMinutes(1);

  private static final Logger LOG = System.getLogger(RevocationBelief.class.getName());

  private final CapabilityStore store;
  private final BeliefTerms terms;
  private final LongSupplier nanos;
  private final Cache<CapabilityId, Answer> answers;
  private final Set<CapabilityId> asking = ConcurrentHashMap.newKeySet();
  private final AtomicLong generation = new AtomicLong();
  private final LongAdder stale = new LongAdder();
  private volatile @Nullable Answer last;

  /**
   * @param asked on the monotonic clock; later revocations are missing
   * @param generation an answer of an earlier generation is not fresh
   */
  private record Answer(boolean isRevoked, long asked, long generation) {
    Standing standing() {
      return isRevoked ? Standing.REVOKED : Standing.GOOD;
    }
  }

  RevocationBelief(CapabilityStore store, BeliefTerms terms, LongSupplier nanos) {
    this.store = store;
    this.terms = terms;
    this.nanos = nanos;
    this.answers =
        Caffeine.newBuilder()
            .maximumSize(MOST)
            .ticker(nanos::getAsLong)
            .executor(Runnable::run)
            .expireAfterWrite(terms.outage().plus(SLACK))
            .build();
  }

  /** UNVERIFIED when the store is away and its last answer is too old. */
  Standing standing(CapabilityId id) {
    Answer known = answers.getIfPresent(id);
    if (known != null && known.generation() == generation.get() && terms.isFresh(age(known))) {
      return known.standing();
    }
    Standing believed = withoutStore(known);
    if (believed == Standing.UNVERIFIED) {
      return asked(id, believed);
    }
    if (asking.size() >= MOST_ASKING || !asking.add(id)) {
      return believed;
    }
    try {
      return asked(id, believed);
    } finally {
      asking.remove(id);
    }
  }

  private Standing asked(CapabilityId id, Standing otherwise) {
    Answer question = ask();
    try {
      boolean isRevoked = store.isRevoked(id);
      return keep(id, isRevoked, question).standing();
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, "Revocation of {0} is unknown: {1}", id, e.toString());
      if (otherwise != Standing.UNVERIFIED) {
        stale.increment();
      }
      return otherwise;
    }
  }

  /** A question that begins now. */
  private Answer ask() {
    return new Answer(false, nanos.getAsLong(), generation.get());
  }

  private Answer keep(CapabilityId id, boolean isRevoked, Answer asked) {
    Answer answer = new Answer(isRevoked, asked.asked(), asked.generation());
    last = answer;
    answers.put(id, answer);
    if (generation.get() != answer.generation()) {
      // A revocation may have come between the question and this line.
      answers.asMap().remove(id, answer);
    }
    return answer;
  }

  private Standing withoutStore(@Nullable Answer known) {
    return known != null && terms.isBelieved(age(known)) ? known.standing() : Standing.UNVERIFIED;
  }

  private Duration age(Answer answer) {
    return Duration.ofNanos(nanos.getAsLong() - answer.asked());
  }

  /** Runs {@code mint}, after which the capability is known to be good. */
  void minted(CapabilityId id, Runnable mint) {
    Answer asked = ask();
    mint.run();
    Answer unused = keep(id, false, asked);
  }

  /** Nothing is known any more of the capabilities that may have been revoked. */
  void forget(Predicate<CapabilityId> revoked) {
    generation.incrementAndGet();
    answers.asMap().keySet().removeIf(revoked);
  }

  /** Every capability is looked up again at its next use, if the store can be asked. */
  void refresh() {
    generation.incrementAndGet();
  }

  /** How long a capability may still be believed without the store; empty when none is. */
  Optional<Duration> left() {
    Answer newest = last;
    return Optional.ofNullable(newest)
        .map(answer -> terms.left(age(answer)))
        .filter(left -> !left.isZero());
  }

  Duration outage() {
    return terms.outage();
  }

  long size() {
    return answers.estimatedSize();
  }

  /** Calls that were let in or refused by an answer that is not fresh, while the store was away. */
  long stale() {
    return stale.sum();
  }
}
