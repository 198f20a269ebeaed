package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Standard output: one JSON object on each line. */
final class JsonLines {
  private final PrintStream out;

  JsonLines(PrintStream out) {
    this.out = out;
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Adds a field whose value is not null. */
  static void put(ObjectNode object, String field, @Nullable Object value) {
    if (value != null) {
      object.put(field, value.toString());
    }
  }

  void line(ObjectNode object) {
    out.println(object);
  }
}
