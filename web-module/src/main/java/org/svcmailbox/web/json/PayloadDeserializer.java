package org.svcmailbox.web.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.io.IOException;
import org.svcmailbox.core.envelope.Payload;

/** Decodes a payload from base64. */
final class PayloadDeserializer extends StdDeserializer<Payload> {
  private static final long serialVersionUID = 1L;

  PayloadDeserializer() {
    super(Payload.class);
  }

  @Override
  public Payload deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    if (!parser.hasToken(JsonToken.VALUE_STRING)) {
      throw refused(parser);
    }
    try {
      return Payload.owning(StrictBase64.decode(parser.getText()));
    } catch (IllegalArgumentException e) {
      throw refused(parser);
    }
  }

  private static MismatchedInputException refused(JsonParser parser) {
    return MismatchedInputException.from(parser, Payload.class, "not base64");
  }
}
