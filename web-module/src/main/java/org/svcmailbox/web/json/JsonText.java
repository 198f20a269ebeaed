package org.svcmailbox.web.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON in header values. */
public final class JsonText {
  private static final int LAST_ASCII = 0x7f;
  private static final String DELETE = "\u007f";
  private static final String DELETE_ESCAPED = "\\u007f";

  private JsonText() {}

  /**
   * Reads an object of strings as strictly as a body.
   *
   * @param name the header
   * @throws org.svcmailbox.core.problem.SchemaException naming the header, or the entry as {@code
   *     name.key}
   */
  public static Map<String, @Nullable String> strings(String name, String text) {
    return StrictReader.ofStrings(name).read(Body.of(text.getBytes(UTF_8)));
  }

  /** Writes an object of strings in printable ASCII; escapes all other characters. */
  public static String ascii(Map<String, String> strings) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = Json.factory().createGenerator(text)) {
      json.setHighestNonEscapedChar(LAST_ASCII);
      json.writeStartObject();
      for (Map.Entry<String, String> entry : strings.entrySet()) {
        json.writeStringField(entry.getKey(), entry.getValue());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    // JSON allows this character unescaped, but headers do not.
    return text.toString().replace(DELETE, DELETE_ESCAPED);
  }
}
