package org.svcmailbox.web.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.util.Map;
import org.svcmailbox.core.envelope.Payload;

/** The configuration for all JSON of the service. */
public final class Json {
  static final ObjectMapper MAPPER = mapper();

  // The deepest request is {messages: [{attrs: {}}]}. The longest string is a payload of the
  // largest frame in base64. The longest number is a long.
  private static final int MAX_DEPTH = 8;
  private static final int MAX_STRING = 2 * 1024 * 1024;
  private static final int MAX_NAME = 1024;
  private static final int MAX_DIGITS = 20;

  private Json() {}

  /** A response record as UTF-8 JSON, in snake_case, without null components. */
  public static byte[] bytes(Object response) {
    try {
      return MAPPER.writeValueAsBytes(response);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(response.getClass() + " cannot be written", e);
    }
  }

  /** The factory for answers that are generated field by field. */
  public static JsonFactory factory() {
    return MAPPER.getFactory();
  }

  private static ObjectMapper mapper() {
    JsonMapper.Builder builder =
        JsonMapper.builder(strictFactory())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .defaultPropertyInclusion(
                JsonInclude.Value.construct(
                    JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addModule(
                new SimpleModule()
                    .addDeserializer(Payload.class, new PayloadDeserializer())
                    .addDeserializer(Map.class, new StringsDeserializer()));
    return builder.withCoercionConfig(LogicalType.Textual, Json::onlyStrings).build();
  }

  private static void onlyStrings(com.fasterxml.jackson.databind.cfg.MutableCoercionConfig text) {
    text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
  }

  private static JsonFactory strictFactory() {
    StreamReadConstraints bounds =
        StreamReadConstraints.builder()
            .maxNestingDepth(MAX_DEPTH)
            .maxStringLength(MAX_STRING)
            .maxNameLength(MAX_NAME)
            .maxNumberLength(MAX_DIGITS)
            .build();
    return JsonFactory.builder()
        .streamReadConstraints(bounds)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        // Only UTF-8.
        .disable(JsonFactory.Feature.CHARSET_DETECTION)
        // Clients choose attribute names; interning them would fill the JVM's string table.
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .build();
  }
}
