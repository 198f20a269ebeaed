package org.svcmailbox.capability;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A capability as its holder has it: a secret token and the caveats that bound it. The holder can
 * narrow it without the service; nobody can widen it. Immutable.
 *
 * <p>Only the service can tell whether it is genuine: its signature can be checked only with the
 * service's key.
 */
public final class Capability {
  /** The beginning of every token, whatever its location, and long enough that no name matches. */
  private static final Pattern TOKEN = Pattern.compile("Ag[E-L][A-Za-z0-9_-]{40,}");

  private final Macaroon macaroon;
  private final CapabilityId id;

  private Capability(Macaroon macaroon, CapabilityId id) {
    this.macaroon = macaroon;
    this.id = id;
  }

  /**
   * Reads a token.
   *
   * @throws MalformedCapabilityException if it is no capability of this service; the message does
   *     not contain the token
   */
  public static Capability parse(String token) {
    Macaroon macaroon = Macaroon.parse(token);
    return new Capability(macaroon, CapabilityId.ofBytes(macaroon.identifier()));
  }

  /** The text with a mark in place of every token, for people and logs. */
  public static String withoutTokens(String text) {
    return TOKEN.matcher(text).replaceAll("[token]");
  }

  /**
   * This capability with more caveats, made without the service. It keeps its nonce: revoking one
   * revokes both.
   *
   * @throws IllegalArgumentException if it would have more than 64 caveats or 4,096 characters
   */
  public Capability narrow(Caveat... caveats) {
    Macaroon narrowed = macaroon;
    for (Caveat caveat : caveats) {
      narrowed = narrowed.narrowedBy(caveat.text());
    }
    if (narrowed.token().length() > Macaroon.MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "a capability has at most " + Macaroon.MOST_CHARACTERS + " characters");
    }
    return new Capability(narrowed, id);
  }

  /** The id of the service's key that signed it. */
  public String keyId() {
    return id.keyId();
  }

  /** Its name: 32 hex digits, public, enough to revoke it. */
  public String nonce() {
    return id.nonce();
  }

  /** A hint where it is valid; empty for none. Not signed. */
  public String location() {
    return macaroon.location();
  }

  /** The texts of its caveats, oldest first. One that is not {@link Caveat#isKnown} denies all. */
  public List<String> caveats() {
    return macaroon.caveats();
  }

  /** When it ends, as the earliest of its caveats says; empty if it does not end. */
  public Optional<Instant> expires() {
    return conditions(Condition.Expires.class)
        .map(Condition.Expires::end)
        .min(Comparator.naturalOrder());
  }

  /** The beginning that each message's key must have; empty for none. */
  public String keyPrefix() {
    // All prefixes must match, so a key that fits them all fits the longest.
    return conditions(Condition.KeysBelow.class)
        .map(Condition.KeysBelow::prefix)
        .max(Comparator.comparingInt(String::length))
        .orElse("");
  }

  private <C extends Condition> Stream<C> conditions(Class<C> kind) {
    return caveats().stream()
        .map(text -> Caveat.read(text).condition())
        .filter(kind::isInstance)
        .map(kind::cast);
  }

  /** The secret text to present. */
  public String token() {
    return macaroon.token();
  }

  /** Public parts only. */
  @Override
  public String toString() {
    return "Capability[" + keyId() + ", " + nonce() + ", " + caveats() + "]";
  }
}
