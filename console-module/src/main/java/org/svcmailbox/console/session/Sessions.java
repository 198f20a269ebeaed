package org.svcmailbox.console.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.svcmailbox.core.capability.ConsoleUser;

/**
 * Who is signed in to this node, in memory only: a restart signs everybody out. A session begins
 * with a sign-in and under a name that nobody can have known before. Bounded: the one that was used
 * least lately goes for a new one. Any thread.
 */
public final class Sessions {
  private static final int TOKEN_BYTES = 32;

  private final Terms terms;
  private final SecureRandom random;
  private final LongSupplier nanos;

  /** By a hash of the token: what is compared byte by byte is not the secret. */
  private final Map<String, Session> sessions = new HashMap<>();

  /**
   * How long sessions last.
   *
   * @param most at once
   * @param idle without use
   * @param longest with it
   */
  public record Terms(int most, Duration idle, Duration longest) {}

  private static final class Session {
    private final ConsoleUser user;
    private final long began;
    private long used;

    Session(ConsoleUser user, long now) {
      this.user = user;
      this.began = now;
      this.used = now;
    }
  }

  /**
   * None yet.
   *
   * @param nanos a monotonic clock
   */
  public Sessions(Terms terms, SecureRandom random, LongSupplier nanos) {
    this.terms = terms;
    this.random = random;
    this.nanos = nanos;
  }

  /**
   * Begins a session.
   *
   * @return the token that whoever has it is known by
   */
  public synchronized String begin(ConsoleUser user) {
    long now = nanos.getAsLong();
    sessions.values().removeIf(session -> isOver(session, now));
    if (sessions.size() >= terms.most()) {
      sessions.entrySet().stream()
          .max(Comparator.comparingLong(entry -> now - entry.getValue().used))
          .map(Map.Entry::getKey)
          .ifPresent(sessions::remove);
    }
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    sessions.put(hash(token), new Session(user, now));
    return token;
  }

  /** Whose session it is, if it has not ended; that it was asked for is no use of it. */
  public synchronized Optional<ConsoleUser> of(String token) {
    return session(token).map(session -> session.user);
  }

  /** The same, and the session was used now. */
  public synchronized Optional<ConsoleUser> use(String token) {
    Optional<Session> session = session(token);
    session.ifPresent(one -> one.used = nanos.getAsLong());
    return session.map(one -> one.user);
  }

  /** Ends a session, and says whose it was. */
  public synchronized Optional<ConsoleUser> end(String token) {
    Optional<Session> session = session(token);
    sessions.remove(hash(token));
    return session.map(one -> one.user);
  }

  private Optional<Session> session(String token) {
    return Optional.ofNullable(sessions.get(hash(token)))
        .filter(session -> !isOver(session, nanos.getAsLong()));
  }

  private boolean isOver(Session session, long now) {
    return now - session.used >= terms.idle().toNanos()
        || now - session.began >= terms.longest().toNanos();
  }

  private static String hash(String token) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
