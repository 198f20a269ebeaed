package org.svcmailbox.web.stream;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.web.delivery.ReceivedJson;
import org.svcmailbox.web.json.Json;

/**
 * A line with a message. It encodes the payload while it is copied, so that no whole line is in
 * memory.
 */
final class MessageLine implements Line {
  private static final int FIELDS_ESTIMATE = 768;

  /** Bytes that become a group of {@link #CHARACTERS} in base64. */
  private static final int GROUP = 3;

  private static final int CHARACTERS = 4;

  private final long number;
  private final LeasedMessage message;
  private final byte[] payload;
  private @Nullable Fields fields;
  private int encoded;

  /** The parts of the line before and after the payload. */
  private record Fields(PlainLine before, PlainLine after) {}

  /** Does not encode the payload yet. */
  MessageLine(long number, LeasedMessage message) {
    this.number = number;
    this.message = message;
    this.payload = message.message().payload().bytes();
  }

  private Fields fields() {
    Fields known = fields;
    if (known == null) {
      known = encodedFields();
      fields = known;
    }
    return known;
  }

  private Fields encodedFields() {
    ByteArrayOutputStream line = new ByteArrayOutputStream(FIELDS_ESTIMATE);
    try (JsonGenerator json = Json.factory().createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("type", "message");
      json.writeNumberField("n", number);
      json.writeObjectFieldStart("message");
      ReceivedJson.writeBeforePayload(json, message.message());
      json.writeString("");
      json.flush();
      int insideQuotes = line.size() - 1;
      ReceivedJson.writeAfterPayload(json, message);
      json.writeEndObject();
      json.writeEndObject();
      json.writeRaw('\n');
      json.flush();
      byte[] bytes = line.toByteArray();
      return new Fields(
          new PlainLine(Arrays.copyOf(bytes, insideQuotes)),
          new PlainLine(Arrays.copyOfRange(bytes, insideQuotes, bytes.length)));
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
  }

  @Override
  public int weight() {
    return payload.length;
  }

  @Override
  public @Nullable TraceContext sender() {
    return message.message().trace();
  }

  @Override
  public boolean isMessage() {
    return true;
  }

  @Override
  public int left() {
    int groups = (payload.length - encoded + GROUP - 1) / GROUP;
    return fields().before().left() + groups * CHARACTERS + fields().after().left();
  }

  @Override
  public boolean copy(ByteBuffer to) {
    return fields().before().copy(to) && encode(to) && fields().after().copy(to);
  }

  private boolean encode(ByteBuffer to) {
    int most = to.remaining() / CHARACTERS * GROUP;
    int count = Math.min(payload.length - encoded, most);
    ByteBuffer text = Base64.getEncoder().encode(ByteBuffer.wrap(payload, encoded, count));
    to.put(text);
    Arrays.fill(text.array(), (byte) 0);
    encoded += count;
    return encoded == payload.length;
  }
}
