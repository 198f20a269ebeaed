package org.svcmailbox.web.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import org.jspecify.annotations.Nullable;

/** The path of a refused field, such as {@code messages[3].attrs.x}; empty for the document. */
final class JsonErrorPath {
  private JsonErrorPath() {}

  /**
   * Returns the parser's position. For an unknown field it returns the field's path, because
   * Jackson reports the field late.
   */
  static String of(JacksonException refused, JsonParser parser) {
    StringBuilder path = new StringBuilder();
    if (refused instanceof UnrecognizedPropertyException unknown) {
      unknown.getPath().forEach(reference -> append(path, reference));
    } else {
      prepend(path, parser.getParsingContext());
    }
    return path.toString();
  }

  private static void append(StringBuilder path, Reference reference) {
    if (reference.getFieldName() != null) {
      path.append(path.isEmpty() ? "" : ".").append(reference.getFieldName());
    } else {
      path.append('[').append(reference.getIndex()).append(']');
    }
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
