package org.svcmailbox.console.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.ConsoleUser;

/**
 * The sessions of this node, in memory only: a restart ends them all. Tokens are created at
 * sign-in, which rules out fixation. At the limit, the least recently used session is evicted. Any
 * thread.
 */
public final class Sessions {
  private static final int TOKEN_BYTES = 32;

  private final Limits limits;
  private final SecureRandom random;
  private final LongSupplier nanos;

  /** Keyed by a hash of the token, so that lookup timing reveals nothing about it. */
  private final Map<String, Session> sessions = new HashMap<>();

  /** How often a user's password has changed. Only passwords in the server's files can change. */
  private final Map<String, Long> passwordChanges = new HashMap<>();

  /**
   * Limits of sessions.
   *
   * @param max concurrent sessions
   * @param idle maximum time without activity
   * @param longest maximum total time
   * @param provenFor how long a sign-in or confirmation lets the user elevate
   */
  public record Limits(int max, Duration idle, Duration longest, Duration provenFor) {}

  /** A session that has ended: its user, and the capabilities that it may still hold. */
  public record Ended(ConsoleUser user, List<CapabilityId> held) {}

  private static final class Session {
    private final ConsoleUser user;
    private final long began;
    private final StepUp stepUp;

    /** All that it may still hold. */
    private final List<Minted> held = new ArrayList<>();

    /** The one of the user's role. */
    private @Nullable Minted own;

    private long lastUsed;

    Session(ConsoleUser user, long now, StepUp stepUp) {
      this.user = user;
      this.stepUp = stepUp;
      this.began = now;
      this.lastUsed = now;
    }

    Ended ended() {
      return new Ended(user, held.stream().map(Minted::id).toList());
    }
  }

  /**
   * Creates an empty store.
   *
   * @param nanos a monotonic clock
   */
  public Sessions(Limits limits, SecureRandom random, LongSupplier nanos) {
    this.limits = limits;
    this.random = random;
    this.nanos = nanos;
  }

  /** Begins a session of a user who has just been proven to be the user. */
  public synchronized String begin(ConsoleUser user) {
    return begin(user, Optional.of(Duration.ZERO));
  }

  /**
   * Begins a session.
   *
   * @param proven how long ago the user proved to be the user; empty if nobody knows
   * @return the session's token
   */
  public synchronized String begin(ConsoleUser user, Optional<Duration> proven) {
    long now = nanos.getAsLong();
    sessions.values().removeIf(session -> isExpired(session, now));
    if (sessions.size() >= limits.max()) {
      sessions.entrySet().stream()
          .max(Comparator.comparingLong(entry -> now - entry.getValue().lastUsed))
          .map(Map.Entry::getKey)
          .ifPresent(sessions::remove);
    }
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    sessions.put(hash(token), new Session(user, now, new StepUp(limits.provenFor(), now, proven)));
    return token;
  }

  /** How often a user's password has changed. */
  public synchronized long passwordChanges(String user) {
    return passwordChanges.getOrDefault(user, 0L);
  }

  /** Begins a session if the user's password has not changed while it was checked. */
  public synchronized Optional<String> begin(ConsoleUser user, long changes) {
    return passwordChanges(user.name()) == changes ? Optional.of(begin(user)) : Optional.empty();
  }

  /**
   * Ends all sessions of a user whose password has changed, including the ones about to begin.
   *
   * @return the capabilities that they may still hold
   */
  public synchronized List<CapabilityId> passwordChanged(String user) {
    passwordChanges.merge(user, 1L, Long::sum);
    List<CapabilityId> held =
        sessions.values().stream()
            .filter(session -> session.user.name().equals(user))
            .flatMap(session -> session.ended().held().stream())
            .toList();
    sessions.values().removeIf(session -> session.user.name().equals(user));
    return held;
  }

  /** The user of a live session. Does not count as activity. */
  public synchronized Optional<ConsoleUser> user(String token) {
    return session(token).map(session -> session.user);
  }

  /** The user of a live session. Counts as activity. */
  public synchronized Optional<ConsoleUser> touch(String token) {
    Optional<Session> session = session(token);
    session.ifPresent(one -> one.lastUsed = nanos.getAsLong());
    return session.map(one -> one.user);
  }

  /** How long a session lasts if nothing happens; zero if it has ended. */
  public synchronized Duration left(String token) {
    long now = nanos.getAsLong();
    return session(token)
        .map(
            one ->
                Math.min(
                    limits.idle().toNanos() - (now - one.lastUsed),
                    limits.longest().toNanos() - (now - one.began)))
        .map(Duration::ofNanos)
        .orElse(Duration.ZERO);
  }

  /** Records that the user of a live session confirmed; returns false if it has ended. */
  public synchronized boolean confirmed(String token) {
    Optional<Session> session = session(token);
    session.ifPresent(one -> one.stepUp.confirmed(nanos.getAsLong()));
    return session.isPresent();
  }

  /** Whether a session may have an elevated capability; empty if it has ended. */
  synchronized Optional<StepUp.Verdict> stepUp(String token) {
    return session(token).map(one -> one.stepUp.grant(nanos.getAsLong()));
  }

  /** The session's own capability if it is valid beyond {@code then}. */
  public synchronized Optional<Minted> capability(String token, Instant then) {
    return session(token)
        .map(session -> session.own)
        .filter(minted -> minted.expires().isAfter(then));
  }

  /**
   * Makes a live session hold a capability as its own; returns false if the session has ended
   * meanwhile.
   */
  public synchronized boolean own(String token, Minted minted, Instant now) {
    boolean isHeld = hold(token, minted, now);
    session(token).ifPresent(one -> one.own = minted);
    return isHeld;
  }

  /** Makes a live session hold one more; returns false if the session has ended meanwhile. */
  public synchronized boolean hold(String token, Minted minted, Instant now) {
    Optional<Session> session = session(token);
    session.ifPresent(
        one -> {
          one.held.removeIf(old -> !old.expires().isAfter(now));
          one.held.add(minted);
        });
    return session.isPresent();
  }

  /** Ends a session. */
  public synchronized Optional<Ended> end(String token) {
    Optional<Session> session = session(token);
    sessions.remove(hash(token));
    return session.map(Session::ended);
  }

  private Optional<Session> session(String token) {
    return Optional.ofNullable(sessions.get(hash(token)))
        .filter(session -> !isExpired(session, nanos.getAsLong()));
  }

  private boolean isExpired(Session session, long now) {
    return now - session.lastUsed >= limits.idle().toNanos()
        || now - session.began >= limits.longest().toNanos();
  }

  private static String hash(String token) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is missing", e);
    }
  }
}
