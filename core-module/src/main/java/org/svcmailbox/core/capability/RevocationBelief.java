package org.svcmailbox.core.capability;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.Caller.Standing;
import org.svcmailbox.core.capability.store.CapabilityStore.Answer;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The store's answers about revocations and names, by capability. A fresh answer saves the
 * question, and an older one counts while the store is away. Narrowing a token adds no entry, so
 * only operators, who mint, can fill the table. Any thread.
 */
final class RevocationBelief {
  /** The default of {@code capability.max_minted}. */
  static final int MOST = 100_000;

  /** The most calls that wait for a silent store although an older answer would do. */
  static final int MOST_ASKING = 16;

  /** The most that wait because they have no such answer. */
  static final int MOST_UNBELIEVED = 32;

  /**
   * How long further calls wait for their turn, for instance after a start; then they are
   * unverified.
   */
  private static final Duration TURN = Duration.ofMillis(100);

  /**
   * The cache is less exact, so it keeps answers longer; {@link BeliefTerms} decide to the
   * nanosecond.
   */
  private static final Duration SLACK = Duration.ofMinutes(1);

  private static final Logger LOG = System.getLogger(RevocationBelief.class.getName());

  private final Function<CapabilityId, Answer> store;
  private final RecentRevocations recent;
  private final BeliefTerms terms;
  private final LongSupplier nanos;
  private final Cache<CapabilityId, KnownAnswer> answers;
  private final Set<CapabilityId> asking = ConcurrentHashMap.newKeySet();
  private final Semaphore believed = new Semaphore(MOST_ASKING);
  private final Semaphore unbelieved = new Semaphore(MOST_UNBELIEVED);
  private final AtomicLong questions = new AtomicLong();

  /** By number: open questions that no revocation has overtaken. */
  private final Map<Long, CapabilityId> open = new ConcurrentHashMap<>();

  private final LongAdder stale = new LongAdder();
  private volatile long refreshed;

  /**
   * The belief about a capability.
   *
   * @param name of its holder; null for none, or if the store has not told it
   */
  record Belief(Standing standing, @Nullable String name) {
    private static final Belief UNVERIFIED = new Belief(Standing.UNVERIFIED, null);

    private boolean isVerified() {
      return standing != Standing.UNVERIFIED;
    }
  }

  /**
   * @param isUsed false until a caller uses a capability that this node has minted
   * @param asked when, on the monotonic clock; later revocations are not included
   * @param question the question's number
   */
  private record KnownAnswer(Answer answer, boolean isUsed, long asked, long question) {
    Belief belief() {
      return new Belief(answer.isRevoked() ? Standing.REVOKED : Standing.GOOD, answer.name());
    }

    KnownAnswer used() {
      return new KnownAnswer(answer, true, asked, question);
    }
  }

  /**
   * @param store whether a capability was revoked, and its name; throws {@link
   *     UnavailableException}
   * @param recent revocations of this node, which count even if the store has fallen back
   */
  RevocationBelief(
      Function<CapabilityId, Answer> store,
      RecentRevocations recent,
      BeliefTerms terms,
      LongSupplier nanos) {
    this.store = store;
    this.recent = recent;
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

  /** UNVERIFIED if the last answer is too old and the store is away, or too many calls ask it. */
  Belief belief(CapabilityId id) {
    KnownAnswer known = known(id);
    if (known != null && isFresh(known)) {
      return known.belief();
    }
    Belief otherwise = withoutStore(known);
    if (!otherwise.isVerified()) {
      return asked(id, otherwise, unbelieved, TURN);
    }
    if (!asking.add(id)) {
      return otherwise;
    }
    try {
      return asked(id, otherwise, believed, Duration.ZERO);
    } finally {
      asking.remove(id);
    }
  }

  /** The store's last answer if it is fresh; does not ask the store. */
  @Nullable Standing fresh(CapabilityId id) {
    KnownAnswer known = answers.getIfPresent(id);
    return known != null && isFresh(known) ? known.belief().standing() : null;
  }

  private boolean isFresh(KnownAnswer known) {
    return known.question() > refreshed && terms.isFresh(age(known));
  }

  private @Nullable KnownAnswer known(CapabilityId id) {
    KnownAnswer known = answers.getIfPresent(id);
    if (known != null && !known.isUsed()) {
      answers.asMap().replace(id, known, known.used());
    }
    return known;
  }

  private Belief asked(CapabilityId id, Belief otherwise, Semaphore permits, Duration patience) {
    if (!hasTurn(permits, patience)) {
      return otherwise;
    }
    try {
      return answered(id, true, () -> answer(id)).belief();
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, "Revocation of {0} is unknown: {1}", id, e.toString());
      if (otherwise.isVerified()) {
        stale.increment();
      }
      return otherwise;
    } finally {
      permits.release();
    }
  }

  private Answer answer(CapabilityId id) {
    return recent.contains(id) ? new Answer(true, null) : store.apply(id);
  }

  private static boolean hasTurn(Semaphore permits, Duration patience) {
    try {
      return permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Stores the answer, unless a revocation of {@code id} arrives first. */
  private KnownAnswer answered(CapabilityId id, boolean isUsed, Supplier<Answer> source) {
    long question = questions.incrementAndGet();
    long asked = nanos.getAsLong();
    open.put(question, id);
    try {
      KnownAnswer answer = new KnownAnswer(source.get(), isUsed, asked, question);
      answers.put(id, answer);
      if (!open.containsKey(question)) {
        answers.asMap().remove(id, answer);
      }
      return answer;
    } finally {
      open.remove(question);
    }
  }

  private Belief withoutStore(@Nullable KnownAnswer known) {
    return known != null && terms.isBelieved(age(known)) ? known.belief() : Belief.UNVERIFIED;
  }

  private Duration age(KnownAnswer answer) {
    return Duration.ofNanos(nanos.getAsLong() - answer.asked());
  }

  /** Runs {@code mint}, after which the capability is known to be good and to have this name. */
  void minted(CapabilityId id, @Nullable String name, Runnable mint) {
    KnownAnswer unused =
        answered(
            id,
            false,
            () -> {
              mint.run();
              return new Answer(false, name);
            });
  }

  /** Forgets the answers for capabilities that may have been revoked. */
  void forget(Predicate<CapabilityId> revoked) {
    open.values().removeIf(revoked);
    answers.asMap().keySet().removeIf(revoked);
  }

  /** Has every capability looked up again at its next use, if the store can be asked. */
  void refresh() {
    refreshed = questions.get();
  }

  /** The longest time for which a used capability's answer still counts; empty if none does. */
  Optional<Duration> left() {
    long now = nanos.getAsLong();
    return answers.asMap().values().stream()
        .filter(known -> known.isUsed() && !known.answer().isRevoked())
        .min(Comparator.comparingLong(answer -> now - answer.asked()))
        .map(newest -> terms.left(age(newest)))
        .filter(left -> !left.isZero());
  }

  Duration outage() {
    return terms.outage();
  }

  long size() {
    return answers.estimatedSize();
  }

  /** The number of calls decided by an answer that is not fresh, while the store was away. */
  long stale() {
    return stale.sum();
  }
}
