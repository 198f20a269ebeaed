package org.svcmailbox.web.delivery;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.broker.ScheduledMessage.Position;
import org.svcmailbox.core.delivery.TopicContents.ScheduledPage;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.web.json.EnvelopeJson;
import org.svcmailbox.web.json.Json;

/** Generates the JSON of scheduled messages field by field. */
final class ScheduledJson {
  private ScheduledJson() {}

  static byte[] of(ScheduledPage page) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = Json.factory().createGenerator(bytes)) {
      json.writeStartObject();
      json.writeArrayFieldStart("messages");
      for (ScheduledMessage message : page.messages()) {
        write(json, message);
      }
      json.writeEndArray();
      Position next = page.next();
      if (next != null) {
        json.writeStringField("next_cursor", ScheduledCursor.text(next));
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator json, ScheduledMessage message) throws IOException {
    json.writeStartObject();
    EnvelopeJson.write(json, message.envelope());
    json.writeStringField("due", Timestamps.text(message.due()));
    if (message.lastError() != null) {
      json.writeStringField("last_error", message.lastError());
    }
    json.writeEndObject();
  }
}
