package org.svcmailbox.web.json;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;

class StrictReaderTest {
  record Inner(@Nullable String name, @Nullable Map<String, @Nullable String> attrs) {}

  record Outer(
      @Nullable String someText,
      @Nullable Long someLong,
      @Nullable Integer someInt,
      @Nullable Payload payload,
      @Nullable List<@Nullable Inner> inners) {}

  private final StrictReader<Outer> reader = StrictReader.of(Outer.class);

  private Outer read(String json) {
    return reader.read(Body.of(json.getBytes(UTF_8)));
  }

  private FieldViolation refused(byte[] body) {
    SchemaException refused = assertThrows(SchemaException.class, () -> reader.read(Body.of(body)));
    assertEquals(1, refused.violations().size());
    return refused.violations().get(0);
  }

  @Test
  void everyFieldIsRead() {
    Outer outer =
        read(
            """
            {"some_text": "ä\\u00e4", "some_long": 9223372036854775807, "some_int": -1,
             "payload": "AAEC", "inners": [{"name": "n", "attrs": {"k": "v"}}]}
            """);
    assertEquals("ää", outer.someText());
    assertEquals(Long.MAX_VALUE, outer.someLong());
    assertEquals(-1, outer.someInt());
    assertEquals(Payload.owning(new byte[] {0, 1, 2}), outer.payload());
    assertEquals(List.of(new Inner("n", Map.of("k", "v"))), outer.inners());
  }

  @Test
  void absentAndNullFieldsAreNull() {
    Outer outer = read("{\"some_text\": null, \"payload\": null}");
    assertEquals(new Outer(null, null, null, null, null), outer);
    assertNull(outer.payload());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Not an object
        "``                                          | body               | must be an object",
        "null                                        | body               | must be an object",
        "[]                                          | body               | must be an object",
        "7                                           | body               | must be an object",
        "\"text\"                                    | body               | must be an object",
        // Syntax
        "{                                           | body               | is where the JSON ends early",
        "{\"some_text\": \"abc                       | some_text          | is where the JSON ends early",
        "{\"inners\": [{\"name\": \"a\"},            | inners[1]          | is not valid JSON in UTF-8",
        "{\"some_int\": 01}                          | some_int           | is not valid JSON in UTF-8",
        "{some_int: 1}                               | body               | is not valid JSON in UTF-8",
        "{'some_int': 1}                             | body               | is not valid JSON in UTF-8",
        "{\"some_int\": NaN}                         | some_int           | is not valid JSON in UTF-8",
        "{\"some_int\": 1,}                          | some_int           | is not valid JSON in UTF-8",
        "{\"some_int\": 1 /* one */}                 | some_int           | is not valid JSON in UTF-8",
        "{} {}                                       | body               | has content after its end",
        "{} ,                                        | body               | is not valid JSON in UTF-8",
        // Fields
        "{\"SOME_TEXT\": \"a\"}                      | SOME_TEXT          | is not a field of this request",
        "{\"someText\": \"a\"}                       | someText           | is not a field of this request",
        "{\"inners\": [{}, {\"x\": 1}]}              | inners[1].x        | is not a field of this request",
        "{\"some_int\": 1, \"some_int\": 2}          | some_int           | appears twice",
        "{\"inners\": [{\"attrs\": {\"a\": \"\", \"a\": \"\"}}]} | inners[0].attrs.a | appears twice",
        // Types
        "{\"some_text\": 7}                          | some_text          | must be a string",
        "{\"some_text\": 7.5}                        | some_text          | must be a string",
        "{\"some_text\": true}                       | some_text          | must be a string",
        "{\"some_text\": {}}                         | some_text          | must be a string",
        "{\"some_text\": [\"a\"]}                    | some_text          | must be a string",
        "{\"some_long\": \"7\"}                      | some_long          | must be a whole number",
        "{\"some_long\": 7.0}                        | some_long          | must be a whole number",
        "{\"some_long\": 1e3}                        | some_long          | must be a whole number",
        "{\"some_long\": false}                      | some_long          | must be a whole number",
        "{\"some_long\": \"\"}                       | some_long          | must be a whole number",
        "{\"some_long\": []}                         | some_long          | must be a whole number",
        "{\"some_long\": 9223372036854775808}        | some_long          | is out of range",
        "{\"some_int\": 2147483648}                  | some_int           | is out of range",
        "{\"some_int\": 123456789012345678901234567} | some_int           | is too long or nested too deeply",
        "{\"inners\": {}}                            | inners             | must be an array",
        "{\"inners\": \"\"}                          | inners             | must be an array",
        "{\"inners\": [7]}                           | inners[0]          | must be an object",
        "{\"inners\": [{}, \"\"]}                    | inners[1]          | must be an object",
        "{\"inners\": [{\"attrs\": []}]}             | inners[0].attrs    | must be an object",
        "{\"inners\": [{\"attrs\": {\"a.b\": 7}}]}   | inners[0].attrs.a.b | must be a string",
        "{\"payload\": 7}                            | payload            | must be a string in standard base64 with padding",
        "{\"payload\": \"QQ\"}                       | payload            | must be a string in standard base64 with padding",
        "{\"inners\": [[[[[[[[[[[[]]]]]]]]]]]]}      | inners[0]          | must be an object",
      })
  void unreadableInputNamesItsField(String json, String field, String message) {
    assertEquals(new FieldViolation(field, message), refused(json.getBytes(UTF_8)));
  }

  @Test
  void anotherEncodingIsRefused() {
    refused("{\"some_text\": \"a\"}".getBytes(UTF_16));
    refused(new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'});
    refused(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf, '{', '}'});
  }

  @Test
  void nestingAndNamesAreBounded() {
    String deep = "{\"inners\":[{\"attrs\":{\"a\":".repeat(20);
    refused(deep.getBytes(UTF_8));
    FieldViolation longName = refused(("{\"" + "x".repeat(2000) + "\": 1}").getBytes(UTF_8));
    assertEquals("is too long or nested too deeply", longName.message());
  }

  @Test
  void readingStopsAtTheSixtyFifthOfManyStrings() {
    StringBuilder many = new StringBuilder("{\"inners\":[{\"attrs\":{\"\":\"\"");
    for (String name : colliding(15)) {
      many.append(",\"").append(name).append("\":\"\"");
    }
    FieldViolation refused = refused(many.append("}}]}").toString().getBytes(UTF_8));
    assertEquals("comes after too many others", refused.message());
    assertEquals("inners[0].attrs." + colliding(15).get(63), refused.field());
  }

  /** Names of one hash code, of so many pairs of characters each. */
  private static List<String> colliding(int pairs) {
    List<String> names = List.of("");
    for (int i = 0; i < pairs; i++) {
      names = names.stream().flatMap(name -> Stream.of(name + "Aa", name + "BB")).toList();
    }
    return names;
  }

  @Test
  void aPayloadOfTheLargestFrameIsRead() {
    byte[] max = new byte[1024 * 1024];
    String base64 = java.util.Base64.getEncoder().encodeToString(max);
    Payload payload = read("{\"payload\": \"" + base64 + "\"}").payload();
    assertEquals(Payload.owning(max), payload);
  }
}
