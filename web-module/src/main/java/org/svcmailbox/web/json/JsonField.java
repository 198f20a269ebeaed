package org.svcmailbox.web.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import org.jspecify.annotations.Nullable;

/** The path of the field a parser is at, such as {@code messages[3].attrs.x}. */
final class JsonField {
  /** The path of the document itself. */
  static final String ROOT = "body";

  private JsonField() {}

  static String at(JsonParser parser) {
    StringBuilder path = new StringBuilder();
    prepend(path, parser.getParsingContext());
    return path.isEmpty() ? ROOT : path.toString();
  }

  private static void prepend(StringBuilder path, @Nullable JsonStreamContext context) {
    if (context == null) {
      return;
    }
    prepend(path, context.getParent());
    if (context.inObject() && context.getCurrentName() != null) {
      path.append(path.isEmpty() ? "" : ".").append(context.getCurrentName());
    } else if (context.inArray() && context.hasCurrentIndex()) {
      path.append('[').append(context.getCurrentIndex()).append(']');
    }
  }
}
