package org.svcmailbox.core.capability;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A bearer token with first-party caveats, each of which narrows it (Birgisson et al., "Macaroons",
 * NDSS 2014; binary format V2 of libmacaroons). Immutable. Anyone who holds one can add caveats, no
 * one can take one away: the signature of each is the key of the next.
 */
public final class Macaroon {
  /** The longest token, in characters. */
  public static final int MOST_CHARACTERS = 4 * 1024;

  /** The most caveats. */
  public static final int MOST_CAVEATS = 64;

  private final String location;
  private final byte[] identifier;
  private final List<String> caveats;
  private final byte[] signature;

  /** The parts are taken over, not copied. */
  Macaroon(String location, byte[] identifier, List<String> caveats, byte[] signature) {
    this.location = location;
    this.identifier = identifier;
    this.caveats = List.copyOf(caveats);
    this.signature = signature;
  }

  /**
   * A macaroon without caveats: it allows everything.
   *
   * @param location a hint for people where it is good; not signed; empty for none
   * @param identifier names the key and this macaroon; at least one byte; public
   */
  public static Macaroon mint(RootKey key, String location, byte[] identifier) {
    if (identifier.length == 0) {
      throw new IllegalArgumentException("an identifier is not empty");
    }
    return new Macaroon(location, identifier.clone(), List.of(), key.sign(identifier));
  }

  /**
   * Reads a token.
   *
   * @throws MalformedCapabilityException when it is anything but a macaroon with first-party
   *     caveats in its one canonical form, within the bounds
   */
  public static Macaroon parse(String token) {
    if (token.length() > MOST_CHARACTERS) {
      throw new MalformedCapabilityException("it is longer than " + MOST_CHARACTERS);
    }
    Macaroon macaroon = MacaroonFormat.read(bytes(token));
    if (!macaroon.token().equals(token)) {
      // Stray bits, padding, a longer spelling of a length: one macaroon has one text.
      throw new MalformedCapabilityException("it is not in its canonical form");
    }
    return macaroon;
  }

  private static byte[] bytes(String token) {
    try {
      return Base64.getUrlDecoder().decode(token.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IllegalArgumentException e) {
      throw new MalformedCapabilityException("it is not base64url");
    }
  }

  /**
   * This macaroon, narrowed; needs no key and no server.
   *
   * @throws IllegalArgumentException when it would have more than {@link #MOST_CAVEATS}, or the
   *     caveat is empty
   */
  public Macaroon narrowedBy(String caveat) {
    if (caveat.isEmpty() || caveats.size() == MOST_CAVEATS) {
      throw new IllegalArgumentException(
          caveat.isEmpty() ? "a caveat is not empty" : "at most " + MOST_CAVEATS + " caveats");
    }
    List<String> more = new ArrayList<>(caveats);
    more.add(caveat);
    return new Macaroon(location, identifier, more, link(signature, caveat));
  }

  /**
   * Whether it was minted with {@code key} and only ever narrowed. Takes the same time either way.
   */
  public boolean isMintedWith(RootKey key) {
    byte[] expected = key.sign(identifier);
    for (String caveat : caveats) {
      expected = link(expected, caveat);
    }
    return MessageDigest.isEqual(expected, signature);
  }

  private static byte[] link(byte[] before, String caveat) {
    return RootKey.hmac(before, caveat.getBytes(StandardCharsets.UTF_8));
  }

  /** The hint where it is good; empty for none. Not signed: decides nothing. */
  public String location() {
    return location;
  }

  /** What names its key and itself. */
  public byte[] identifier() {
    return identifier.clone();
  }

  /** Its caveats, oldest first. */
  public List<String> caveats() {
    return caveats;
  }

  byte[] signature() {
    return signature.clone();
  }

  /** The secret text that is handed over: base64url of the binary form, without padding. */
  public String token() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(MacaroonFormat.write(this));
  }

  /** Without the signature, which is what makes it worth stealing. */
  @Override
  public String toString() {
    return "Macaroon[caveats=" + caveats + "]";
  }
}
