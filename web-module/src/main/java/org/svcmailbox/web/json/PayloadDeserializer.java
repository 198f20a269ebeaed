package org.svcmailbox.web.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.svcmailbox.core.envelope.Payload;

/**
 * Decodes a payload from standard base64 (RFC 4648, section 4) in canonical form only. The JDK's
 * decoder accepts missing padding and stray bits in the last quartet, so one payload would have
 * several encodings.
 */
final class PayloadDeserializer extends StdDeserializer<Payload> {
  private static final long serialVersionUID = 1L;
  private static final int QUARTET = 4;
  private static final int TRIPLET = 3;

  PayloadDeserializer() {
    super(Payload.class);
  }

  @Override
  public Payload deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    if (!parser.hasToken(JsonToken.VALUE_STRING)) {
      throw refused(parser);
    }
    try {
      return Payload.owning(decode(parser.getText()));
    } catch (IllegalArgumentException e) {
      throw refused(parser);
    }
  }

  private static MismatchedInputException refused(JsonParser parser) {
    return MismatchedInputException.from(parser, Payload.class, "not base64");
  }

  /**
   * @throws IllegalArgumentException for non-canonical text
   */
  static byte[] decode(String text) {
    if (text.length() % QUARTET != 0) {
      throw new IllegalArgumentException("no padding");
    }
    // ISO-8859-1 maps other characters to '?', which is not in the alphabet.
    byte[] encoded = text.getBytes(StandardCharsets.ISO_8859_1);
    byte[] decoded = Base64.getDecoder().decode(encoded);
    requireCanonicalEnd(encoded, decoded);
    return decoded;
  }

  private static void requireCanonicalEnd(byte[] encoded, byte[] decoded) {
    if (decoded.length % TRIPLET == 0) {
      return;
    }
    int lastTriplet = decoded.length - decoded.length % TRIPLET;
    byte[] again =
        Base64.getEncoder().encode(Arrays.copyOfRange(decoded, lastTriplet, decoded.length));
    int lastQuartet = encoded.length - QUARTET;
    if (!Arrays.equals(again, 0, QUARTET, encoded, lastQuartet, encoded.length)) {
      throw new IllegalArgumentException("stray bits");
    }
  }
}
