package org.svcmailbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names of variables that are read, and which wins. */
class VariablesTest extends CliTest {
  private static final String NOWHERE = "http://127.0.0.1:1";

  VariablesTest() throws IOException {}

  @ParameterizedTest
  @CsvSource({
    "MAILBOX_URL=a,                       a",
    "SVCMAILBOX_URL=b,                    b",
    "MAILBOX_URL=a SVCMAILBOX_URL=b,      a",
    "MAILBOX_URL= SVCMAILBOX_URL=b,       b",
    "MAILBOX_URL= SVCMAILBOX_URL=,        ''",
    "URL=c,                               ''",
    "mailbox_url=d,                       ''"
  })
  void oneVariableIsRead(String variables, String value) {
    Map<String, String> environment =
        Arrays.stream(variables.split(" "))
            .map(variable -> variable.split("=", 2))
            .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    assertEquals(
        value,
        new Surroundings(in, System.out, System.err, environment, asks, false).prefixed("URL"));
  }

  private String presented() {
    assertEquals(0, run("topics").code());
    return service.requests().get(service.requests().size() - 1).token();
  }

  @Test
  void olderNamesAreReadWhereTheNewerAreUnset() throws IOException {
    environment.put("SVCMAILBOX_URL", NOWHERE);
    environment.put("SVCMAILBOX_TOKEN_FILE", write("older.cap", "older").toString());
    assertEquals(CAPABILITY, presented());
    environment.put("SVCMAILBOX_URL", environment.remove("MAILBOX_URL"));
    environment.remove("MAILBOX_TOKEN_FILE");
    assertEquals("older", presented());
  }

  @Test
  void theNewerNameIsTheOneToldOf() {
    environment.clear();
    assertTrue(run("topics").err().contains("$MAILBOX_URL"));
  }
}
