package org.svcmailbox.web.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Payload;

/** Describes refused JSON. The parser's own messages quote the input and name classes. */
final class JsonErrorText {
  static final String NOT_JSON = "is not valid JSON in UTF-8";

  private JsonErrorText() {}

  static String of(JacksonException refused) {
    Throwable root = refused;
    while (root instanceof JsonMappingException && root.getCause() instanceof JacksonException) {
      root = root.getCause();
    }
    if (root instanceof UnrecognizedPropertyException) {
      return "is not a field of this request";
    }
    if (root instanceof MismatchedInputException mismatch) {
      return expected(mismatch.getTargetType());
    }
    return root instanceof JsonMappingException ? "cannot be accepted" : syntax(root);
  }

  private static String syntax(Throwable root) {
    if (root instanceof InputCoercionException) {
      return "is out of range";
    }
    if (root instanceof StreamConstraintsException) {
      return "is too long or nested too deeply";
    }
    if (root instanceof JsonEOFException) {
      return "is where the JSON ends early";
    }
    return isRepetition(root) ? "appears twice" : NOT_JSON;
  }

  private static boolean isRepetition(Throwable root) {
    String message = root.getMessage();
    return message != null && message.startsWith("Duplicate field");
  }

  private static String expected(@Nullable Class<?> type) {
    if (type == null || type == String.class) {
      return "must be a string";
    }
    if (type == Payload.class) {
      return "must be a string in standard base64 with padding";
    }
    if (type == Attributes.class) {
      return "comes after too many others";
    }
    if (Number.class.isAssignableFrom(type)) {
      return "must be a whole number";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "must be an array";
    }
    boolean isObject = Map.class.isAssignableFrom(type) || Record.class.isAssignableFrom(type);
    return isObject ? "must be an object" : "has the wrong type";
  }
}
