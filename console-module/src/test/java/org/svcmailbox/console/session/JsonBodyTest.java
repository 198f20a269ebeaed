package org.svcmailbox.console.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.SchemaException;

class JsonBodyTest {
  private static JsonBody body(String text) {
    return JsonBody.of(text.getBytes(StandardCharsets.UTF_8), Set.of("op", "topic"), Set.of("all"));
  }

  @Test
  void fieldsAreStringsOrListsOrMissing() {
    JsonBody body = body("{\"op\":\"ad\\u006din\",\"all\":[\"a\",\"\"],\"topic\":null}");
    assertEquals("admin", body.text("op"));
    assertEquals(null, body.text("topic"));
    assertEquals(List.of("a", ""), body.texts("all"));
    assertEquals(null, body("{}").text("op"));
    assertEquals(null, body("{}").texts("all"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'op':1,'all':['a',2],'more':true}  | op all more",
        "{'op':{'op':'admin'}}               | op",
        "{'op':['admin']}                    | op",
        "{'topic':true,'op':'admin'}         | topic",
        "{'all':'a'}                         | all",
        "{'all':{'a':'b'}}                   | all",
        "{'all':[null]}                      | all",
        "{'':''}                             | ''",
        "[]                                  | body",
        "'admin'                             | body",
        "null                                | body",
        "{'op':'admin'                       | body",
        "{'op':'admin'} {}                   | body",
        "{'op':'admin','op':'send'}          | body",
        "op=admin                            | body",
        "''                                  | body"
      },
      quoteCharacter = '`')
  void anInvalidBodyIsRefusedByField(String text, String fields) {
    String json = text.equals("''") ? "" : text.replace('\'', '"');
    SchemaException refused = assertThrows(SchemaException.class, () -> body(json));
    assertEquals(
        fields.equals("''") ? "" : fields,
        refused.violations().stream().map(FieldViolation::field).collect(Collectors.joining(" ")));
  }

  @Test
  void aBodyHasABound() {
    String most = "{\"op\":\"" + "o".repeat(JsonBody.MAX_BYTES - 9) + "\"}";
    assertEquals(JsonBody.MAX_BYTES, most.length());
    body(most);
    assertThrows(FrameTooLargeException.class, () -> body(most + " "));
    assertThrows(SchemaException.class, () -> body("[".repeat(JsonBody.MAX_BYTES)));
  }
}
