package org.svcmailbox.client.capability;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.client.capability.Macaroon.MalformedException;

/**
 * A capability of the service: a secret token and the caveats that bound it. Its holder can narrow
 * it without the service; nobody can widen it. Immutable.
 *
 * <p>Whether the service accepts it is for the service to say: its signature can be checked only
 * with the service's key.
 */
public final class Capability {
  private static final Pattern IDENTIFIER =
      Pattern.compile("mb1:([A-Za-z0-9_-]{1,32}):([0-9a-f]{32})");

  /** The beginning of every token, whatever its location, and more of it than names have. */
  private static final Pattern TOKEN = Pattern.compile("Ag[E-L][A-Za-z0-9_-]{40,}");

  private final Macaroon macaroon;
  private final String keyId;
  private final String nonce;

  private Capability(Macaroon macaroon, String keyId, String nonce) {
    this.macaroon = macaroon;
    this.keyId = keyId;
    this.nonce = nonce;
  }

  /**
   * Reads a token.
   *
   * @throws IllegalArgumentException if it is no capability of this service; the message does not
   *     contain the token
   */
  public static Capability parse(String token) {
    try {
      Macaroon macaroon = Macaroon.parse(token);
      Matcher identifier = IDENTIFIER.matcher(macaroon.identifierText());
      if (!identifier.matches()) {
        throw new MalformedException("its identifier is not one of the service's");
      }
      return new Capability(macaroon, identifier.group(1), identifier.group(2));
    } catch (MalformedException e) {
      throw new IllegalArgumentException("the token is no capability: " + e.getMessage());
    }
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
    if (narrowed.token().length() > Macaroon.MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "a capability has at most " + Macaroon.MAX_CHARACTERS + " characters");
    }
    return new Capability(narrowed, keyId, nonce);
  }

  /** The id of the service's key that signed it. */
  public String keyId() {
    return keyId;
  }

  /** Its name: 32 hex digits, public, enough to revoke it. */
  public String nonce() {
    return nonce;
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
    return caveats().stream()
        .flatMap(caveat -> Caveat.end(caveat).stream())
        .min(Comparator.naturalOrder());
  }

  /** The beginning that each message's key must have; empty for none. */
  public String keyPrefix() {
    // All must hold, so that one that fits them fits the longest.
    return caveats().stream()
        .flatMap(caveat -> Caveat.keys(caveat).stream())
        .max(Comparator.comparingInt(String::length))
        .orElse("");
  }

  /** The secret text to present. */
  public String token() {
    return macaroon.token();
  }

  /** Public parts only. */
  @Override
  public String toString() {
    return "Capability[" + keyId + ", " + nonce + ", " + caveats() + "]";
  }
}
