package org.svcmailbox.client.capability;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A macaroon with first-party caveats in the binary format V2 of libmacaroons: a version byte, the
 * location and the identifier, each caveat, and the signature. A field is a type, a length as
 * varint, and its bytes; a zero byte ends a section. The signature of each caveat is keyed by the
 * one before, so a holder can append and nobody can remove.
 */
final class Macaroon {
  static final int MAX_CHARACTERS = 4096;
  static final int MAX_CAVEATS = 64;

  private static final int VERSION = 2;
  private static final int END = 0;
  private static final int LOCATION = 1;
  private static final int IDENTIFIER = 2;
  private static final int SIGNATURE = 6;
  private static final int SIGNATURE_BYTES = 32;
  private static final String HMAC = "HmacSHA256";

  /** Bytes that are no macaroon. The message never contains them. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(message);
    }
  }

  private final String location;
  private final byte[] identifier;
  private final List<String> caveats;
  private final byte[] signature;

  /** The arrays are taken over. */
  Macaroon(String location, byte[] identifier, List<String> caveats, byte[] signature) {
    this.location = location;
    this.identifier = identifier;
    this.caveats = List.copyOf(caveats);
    this.signature = signature;
  }

  /** Reads base64url without padding, in the one spelling that {@link #token} writes. */
  static Macaroon parse(String token) throws MalformedException {
    if (token.length() > MAX_CHARACTERS) {
      throw new MalformedException("it has more than " + MAX_CHARACTERS + " characters");
    }
    Macaroon macaroon = new Reader(decoded(token)).macaroon();
    if (!macaroon.token().equals(token)) {
      throw new MalformedException("it is not in its canonical form");
    }
    return macaroon;
  }

  private static byte[] decoded(String token) throws MalformedException {
    try {
      return Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      // Without the cause, whose message quotes the token.
      throw new MalformedException("it is not base64url");
    }
  }

  /** With one more caveat. */
  Macaroon narrowedBy(String caveat) {
    if (caveats.size() == MAX_CAVEATS) {
      throw new IllegalArgumentException("a capability has at most " + MAX_CAVEATS + " caveats");
    }
    List<String> more = new ArrayList<>(caveats);
    more.add(caveat);
    return new Macaroon(
        location, identifier, more, hmac(signature, caveat.getBytes(StandardCharsets.UTF_8)));
  }

  static byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + HMAC, e);
    }
  }

  String location() {
    return location;
  }

  /** The identifier, one character for each byte. */
  String identifierText() {
    return new String(identifier, StandardCharsets.ISO_8859_1);
  }

  List<String> caveats() {
    return caveats;
  }

  byte[] signature() {
    return signature.clone();
  }

  String token() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(VERSION);
    if (!location.isEmpty()) {
      write(out, LOCATION, location.getBytes(StandardCharsets.UTF_8));
    }
    write(out, IDENTIFIER, identifier);
    out.write(END);
    for (String caveat : caveats) {
      write(out, IDENTIFIER, caveat.getBytes(StandardCharsets.UTF_8));
      out.write(END);
    }
    out.write(END);
    write(out, SIGNATURE, signature);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(out.toByteArray());
  }

  private static void write(ByteArrayOutputStream out, int type, byte[] bytes) {
    out.write(type);
    int rest = bytes.length;
    for (; rest > 0x7f; rest >>>= 7) {
      out.write(rest | 0x80);
    }
    out.write(rest);
    out.writeBytes(bytes);
  }

  private static final class Reader {
    private final ByteBuffer in;

    Reader(byte[] bytes) {
      in = ByteBuffer.wrap(bytes);
    }

    Macaroon macaroon() throws MalformedException {
      require(next() == VERSION, "its version is not " + VERSION);
      String location = skip(LOCATION) ? text(field()) : "";
      byte[] identifier = section();
      List<String> caveats = new ArrayList<>();
      while (!skip(END)) {
        require(caveats.size() < MAX_CAVEATS, "it has more than " + MAX_CAVEATS + " caveats");
        caveats.add(text(section()));
      }
      require(skip(SIGNATURE), "it has no signature");
      byte[] signature = field();
      require(
          signature.length == SIGNATURE_BYTES && !in.hasRemaining(), "it does not end as it must");
      return new Macaroon(location, identifier, caveats, signature);
    }

    /** The identifier of a section that has nothing else. */
    private byte[] section() throws MalformedException {
      require(skip(IDENTIFIER), "it lacks an identifier");
      byte[] identifier = field();
      require(identifier.length > 0, "it has an empty identifier");
      require(skip(END), "it has a field that is not supported");
      return identifier;
    }

    private byte[] field() throws MalformedException {
      int length = 0;
      int part = 0x80;
      // Two parts are enough for a token of 4,096 characters.
      for (int shift = 0; shift <= 7 && (part & 0x80) != 0; shift += 7) {
        part = next();
        length |= (part & 0x7f) << shift;
      }
      require((part & 0x80) == 0 && length <= in.remaining(), "a field is longer than the rest");
      byte[] bytes = new byte[length];
      in.get(bytes);
      return bytes;
    }

    private int next() throws MalformedException {
      require(in.hasRemaining(), "it ends too early");
      return in.get() & 0xff;
    }

    /** Whether this byte comes next; if so, it is passed. */
    private boolean skip(int type) {
      boolean found = in.hasRemaining() && in.get(in.position()) == type;
      if (found) {
        in.get();
      }
      return found;
    }

    private static String text(byte[] bytes) throws MalformedException {
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      } catch (CharacterCodingException e) {
        throw new MalformedException("it has text that is not UTF-8");
      }
    }

    private static void require(boolean holds, String otherwise) throws MalformedException {
      if (!holds) {
        throw new MalformedException(otherwise);
      }
    }
  }
}
