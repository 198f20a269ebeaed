package org.svcmailbox.web.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.web.json.Json;

/** Writes audit entries as JSON lines. */
final class AuditLines {
  private AuditLines() {}

  /** Writes entries without copying them all; leaves the stream open. */
  static void write(List<AuditRow> rows, OutputStream output) throws IOException {
    try (JsonGenerator json = Json.factory().createGenerator(output)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      // Each object ends its own line, so the separator is empty.
      json.setPrettyPrinter(new MinimalPrettyPrinter(""));
      for (AuditRow row : rows) {
        json.writeStartObject();
        json.writeNumberField("no", row.no());
        write(json, row.entry());
        json.writeEndObject();
        json.writeRaw('\n');
      }
    }
  }

  private static void write(JsonGenerator json, AuditEntry entry) throws IOException {
    json.writeStringField("at", Timestamps.text(entry.at()));
    json.writeStringField("actor", entry.actor().id());
    if (entry.actor().name() != null) {
      json.writeStringField("actor_name", entry.actor().name());
    }
    if (!entry.address().isEmpty()) {
      json.writeStringField("address", entry.address());
    }
    json.writeStringField("action", entry.action());
    json.writeStringField("subject", entry.subject());
    json.writeStringField("note", entry.note());
  }
}
