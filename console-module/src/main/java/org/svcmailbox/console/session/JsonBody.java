package org.svcmailbox.console.session;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.SchemaException;

/** The JSON object that a script of the console sends: at most 16 KiB, and no unknown fields. */
public final class JsonBody {
  static final int MAX_BYTES = 16 * 1024;

  private static final String BODY = "body";

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode fields;

  private JsonBody(JsonNode fields) {
    this.fields = fields;
  }

  /**
   * Reads a body.
   *
   * @param texts the fields with a string
   * @param lists the fields with a list of strings
   * @throws SchemaException naming each refused field
   * @throws FrameTooLargeException if it is too large
   */
  public static JsonBody read(HttpServletRequest request, Set<String> texts, Set<String> lists) {
    // The listener of WildFly gives nothing of a body that is too large.
    if (request.getContentLengthLong() > MAX_BYTES) {
      throw tooLarge();
    }
    try {
      return of(request.getInputStream().readNBytes(MAX_BYTES + 1), texts, lists);
    } catch (IOException e) {
      throw new SchemaException(BODY, "cannot be read");
    }
  }

  static JsonBody of(byte[] body, Set<String> texts, Set<String> lists) {
    if (body.length > MAX_BYTES) {
      throw tooLarge();
    }
    JsonNode fields = parsed(body);
    List<FieldViolation> violations = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : fields.properties()) {
      String name = field.getKey();
      if (!texts.contains(name) && !lists.contains(name)) {
        violations.add(new FieldViolation(name, "is unknown"));
      } else if (texts.contains(name) && !isText(field.getValue())) {
        violations.add(new FieldViolation(name, "must be a string"));
      } else if (lists.contains(name) && !isTexts(field.getValue())) {
        violations.add(new FieldViolation(name, "must be a list of strings"));
      }
    }
    if (!violations.isEmpty()) {
      throw new SchemaException(violations);
    }
    return new JsonBody(fields);
  }

  private static FrameTooLargeException tooLarge() {
    return new FrameTooLargeException("the body", MAX_BYTES);
  }

  private static JsonNode parsed(byte[] body) {
    try {
      @Nullable JsonNode node = JSON.readTree(body);
      if (node != null && node.isObject()) {
        return node;
      }
    } catch (JsonProcessingException e) {
      throw new SchemaException(BODY, "is not JSON");
    } catch (IOException e) {
      throw new SchemaException(BODY, "cannot be read");
    }
    throw new SchemaException(BODY, "must be a JSON object");
  }

  private static boolean isText(JsonNode value) {
    return value.isTextual() || value.isNull();
  }

  private static boolean isTexts(JsonNode value) {
    for (JsonNode one : value) {
      if (!one.isTextual()) {
        return false;
      }
    }
    return value.isArray() || value.isNull();
  }

  /** A string; null if the field is missing or null. */
  public @Nullable String text(String field) {
    return fields.path(field).textValue();
  }

  /** A list of strings; null if the field is missing or null. */
  @Nullable List<String> texts(String field) {
    JsonNode value = fields.path(field);
    if (!value.isArray()) {
      return null;
    }
    List<String> texts = new ArrayList<>();
    value.forEach(one -> texts.add(one.textValue()));
    return texts;
  }
}
