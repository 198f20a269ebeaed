package org.svcmailbox.capability;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The binary format V2 of libmacaroons: a version byte, then sections of fields. A field is a type,
 * a length and so many bytes; a section ends with {@link #END}.
 *
 * <pre>
 *   2  [location]  identifier  END
 *      ( [location]  identifier  END )*     one section for each caveat
 *      END
 *      signature
 * </pre>
 *
 * <p>Third-party caveats, which carry a verification id, are not read.
 */
final class MacaroonFormat {
  private static final byte VERSION = 2;
  private static final byte END = 0;
  private static final byte LOCATION = 1;
  private static final byte IDENTIFIER = 2;
  private static final byte SIGNATURE = 6;
  private static final int SIGNATURE_BYTES = 32;
  private static final int VARINT_BITS = 7;
  private static final int MORE = 1 << VARINT_BITS;

  private final ByteBuffer in;

  private MacaroonFormat(byte[] bytes) {
    this.in = ByteBuffer.wrap(bytes);
  }

  static byte[] write(Macaroon macaroon) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(VERSION);
    if (!macaroon.location().isEmpty()) {
      field(out, LOCATION, macaroon.location().getBytes(StandardCharsets.UTF_8));
    }
    field(out, IDENTIFIER, macaroon.identifier());
    out.write(END);
    for (String caveat : macaroon.caveats()) {
      field(out, IDENTIFIER, caveat.getBytes(StandardCharsets.UTF_8));
      out.write(END);
    }
    out.write(END);
    field(out, SIGNATURE, macaroon.signature());
    return out.toByteArray();
  }

  private static void field(ByteArrayOutputStream out, byte type, byte[] bytes) {
    out.write(type);
    int left = bytes.length;
    while (left >= MORE) {
      out.write((left & (MORE - 1)) | MORE);
      left >>>= VARINT_BITS;
    }
    out.write(left);
    out.writeBytes(bytes);
  }

  /** Throws {@link MalformedCapabilityException} unless {@code bytes} is exactly one macaroon. */
  static Macaroon read(byte[] bytes) {
    return new MacaroonFormat(bytes).macaroon();
  }

  private Macaroon macaroon() {
    if (next() != VERSION) {
      throw new MalformedCapabilityException("it is not of version " + VERSION);
    }
    String location = next(LOCATION) ? text(bytes()) : "";
    byte[] identifier = require(IDENTIFIER);
    requireEnd();
    List<String> caveats = new ArrayList<>();
    while (!next(END)) {
      caveats.add(text(require(IDENTIFIER)));
      requireEnd();
      if (caveats.size() > Macaroon.MOST_CAVEATS) {
        throw new MalformedCapabilityException("it has over " + Macaroon.MOST_CAVEATS + " caveats");
      }
    }
    byte[] signature = require(SIGNATURE);
    if (signature.length != SIGNATURE_BYTES || in.hasRemaining()) {
      throw new MalformedCapabilityException("its end is not where it should be");
    }
    return new Macaroon(location, identifier, caveats, signature);
  }

  private byte next() {
    if (!in.hasRemaining()) {
      throw new MalformedCapabilityException("it ends early");
    }
    return in.get();
  }

  /** Consumes the byte if it is {@code type}; returns whether it was. */
  private boolean next(byte type) {
    if (!in.hasRemaining() || in.get(in.position()) != type) {
      return false;
    }
    in.get();
    return true;
  }

  private void requireEnd() {
    if (!next(END)) {
      throw new MalformedCapabilityException("it has a field that is not read here");
    }
  }

  private byte[] require(byte type) {
    if (!next(type)) {
      throw new MalformedCapabilityException("it lacks a field");
    }
    byte[] bytes = bytes();
    if (bytes.length == 0) {
      throw new MalformedCapabilityException("it has an empty field");
    }
    return bytes;
  }

  private byte[] bytes() {
    byte[] bytes = new byte[length()];
    in.get(bytes);
    return bytes;
  }

  private int length() {
    int length = 0;
    int shift = 0;
    byte part;
    do {
      part = next();
      length |= (part & (MORE - 1)) << shift;
      shift += VARINT_BITS;
      // A token has some thousand characters, so two groups are enough.
    } while ((part & MORE) != 0 && shift <= VARINT_BITS);
    if ((part & MORE) != 0 || length > in.remaining()) {
      throw new MalformedCapabilityException("a length is beyond its end");
    }
    return length;
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedCapabilityException("it has text that is not UTF-8");
    }
  }
}
