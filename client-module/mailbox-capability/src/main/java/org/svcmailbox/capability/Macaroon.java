package org.svcmailbox.capability;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A bearer token with first-party caveats (Birgisson et al., "Macaroons", NDSS 2014; binary format
 * V2 of libmacaroons). Any holder can add caveats but not remove them: each signature is the key of
 * the next. Immutable.
 */
public final class Macaroon {
  public static final int MOST_CHARACTERS = 4 * 1024;

  public static final int MOST_CAVEATS = 64;

  private final String location;
  private final byte[] identifier;
  private final List<String> caveats;
  private final byte[] signature;

  /** Keeps the arrays without copying. */
  Macaroon(String location, byte[] identifier, List<String> caveats, byte[] signature) {
    this.location = location;
    this.identifier = identifier;
    this.caveats = List.copyOf(caveats);
    this.signature = signature;
  }

  /** Mints an unrestricted macaroon; {@code location} is an unsigned hint and may be empty. */
  public static Macaroon mint(RootKey key, String location, byte[] identifier) {
    if (identifier.length == 0) {
      throw new IllegalArgumentException("an identifier is not empty");
    }
    return new Macaroon(location, identifier.clone(), List.of(), key.sign(identifier));
  }

  /** Throws {@link MalformedCapabilityException} unless the token is canonical. */
  public static Macaroon parse(String token) {
    if (token.length() > MOST_CHARACTERS) {
      throw new MalformedCapabilityException("it is longer than " + MOST_CHARACTERS);
    }
    Macaroon macaroon = MacaroonFormat.read(bytes(token));
    if (!macaroon.token().equals(token)) {
      // Stray bits, padding, overlong lengths: a macaroon has exactly one spelling.
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

  /** Adds a caveat; needs no key. */
  public Macaroon narrowedBy(String caveat) {
    if (caveat.isEmpty() || caveats.size() == MOST_CAVEATS) {
      throw new IllegalArgumentException(
          caveat.isEmpty() ? "a caveat is not empty" : "at most " + MOST_CAVEATS + " caveats");
    }
    List<String> more = new ArrayList<>(caveats);
    more.add(caveat);
    return new Macaroon(location, identifier, more, link(signature, caveat));
  }

  /** Verifies the chain of signatures in constant time. */
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

  /** An unsigned hint; decides nothing. */
  public String location() {
    return location;
  }

  public byte[] identifier() {
    return identifier.clone();
  }

  public List<String> caveats() {
    return caveats;
  }

  byte[] signature() {
    return signature.clone();
  }

  /** The secret text: unpadded base64url of the binary form. */
  public String token() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(MacaroonFormat.write(this));
  }

  /** Omits the signature, which must stay secret. */
  @Override
  public String toString() {
    return "Macaroon[caveats=" + caveats + "]";
  }
}
