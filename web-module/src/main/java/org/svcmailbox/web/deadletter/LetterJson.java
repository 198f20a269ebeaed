package org.svcmailbox.web.deadletter;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.deadletter.CheckedLetter;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.DeadLetterService.Page;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.web.json.EnvelopeJson;
import org.svcmailbox.web.json.Json;

/** Generates the JSON of dead letters field by field. */
final class LetterJson {
  private static final int LETTER_ESTIMATE = 1_024;

  private LetterJson() {}

  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  static byte[] of(Page page) {
    return object(page.letters().size() * LETTER_ESTIMATE, json -> write(json, page));
  }

  /** One letter with its history and payload. */
  static byte[] of(CheckedLetter letter) {
    int payload = letter.content().payload().size() / 3 * 4;
    return object(LETTER_ESTIMATE + payload, json -> write(json, letter));
  }

  private static byte[] object(int estimate, Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(estimate);
    try (JsonGenerator json = Json.factory().createGenerator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator json, Page page) throws IOException {
    json.writeArrayFieldStart("letters");
    for (DeadLetter letter : page.letters()) {
      json.writeStartObject();
      write(json, letter);
      json.writeEndObject();
    }
    json.writeEndArray();
    if (page.next() != null) {
      json.writeStringField("next_cursor", Cursor.text(page.next()));
    }
  }

  private static void write(JsonGenerator json, DeadLetter letter) throws IOException {
    Envelope envelope = letter.envelope();
    if (envelope != null) {
      EnvelopeJson.write(json, envelope.withAttempt(letter.attempt()));
    } else {
      json.writeStringField("msg_id", letter.msgId().toString());
      json.writeStringField("topic", letter.topic().value());
      json.writeNumberField("attempt", letter.attempt());
    }
    json.writeStringField("reason", letter.reason().text());
    json.writeStringField("fingerprint", letter.fingerprint().toString());
    json.writeStringField("last_error", letter.lastError());
    json.writeStringField("dead_at", Timestamps.text(letter.deadAt()));
    json.writeNumberField("reprocessed", letter.redrives());
    if (letter.job() != null) {
      json.writeStringField("job", letter.job().value());
    }
    json.writeNumberField("payload_bytes", letter.bytes());
  }

  private static void write(JsonGenerator json, CheckedLetter letter) throws IOException {
    write(json, letter.content(), letter.names());
    Envelope envelope = letter.content().letter().envelope();
    json.writeObjectFieldStart("ledger");
    if (envelope != null) {
      json.writeNumberField("seq", envelope.seq());
    }
    json.writeStringField("status", letter.evidence().text());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, LetterContent content, Map<String, String> names)
      throws IOException {
    write(json, content.letter());
    if (content.trace() != null) {
      EnvelopeJson.writeTrace(json, content.trace());
    }
    json.writeStringField("expires_at", Timestamps.text(content.expiresAt()));
    write(json, content.history(), names);
    json.writeFieldName("payload");
    json.writeBinary(content.payload().bytes());
  }

  private static void write(JsonGenerator json, MessageHistory history, Map<String, String> names)
      throws IOException {
    json.writeArrayFieldStart("history");
    for (MessageEvent event : history.events()) {
      json.writeStartObject();
      json.writeStringField("event", event.kind().text());
      json.writeStringField("at", Timestamps.text(event.at()));
      json.writeNumberField("attempt", event.attempt());
      json.writeStringField("note", event.note());
      writeWho(json, event.by(), names);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("history_dropped", history.dropped());
  }

  /** Writes the capability in the audit's format. */
  private static void writeWho(
      JsonGenerator json, @Nullable CapabilityId by, Map<String, String> names) throws IOException {
    if (by == null) {
      return;
    }
    json.writeStringField("by", by.keyId() + ":" + by.nonce());
    String name = names.get(by.nonce());
    if (name != null) {
      json.writeStringField("by_name", name);
    }
  }
}
