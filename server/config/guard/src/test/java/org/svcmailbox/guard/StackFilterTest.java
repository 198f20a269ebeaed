package org.svcmailbox.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StackFilterTest {
  private static final String TOKEN = "AgEHbWFpbGJveAIvbWIxOmstMjNhNjgyZjU6ZThmOWJkYTcxMDA2MmEx_-A";

  private static Throwable filtered(Throwable thrown) {
    LogRecord line = new LogRecord(Level.SEVERE, "failed");
    line.setThrown(thrown);
    assertTrue(new StackFilter().isLoggable(line));
    return line.getThrown();
  }

  private static String stack(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Test
  void aStackWithoutSecretsStaysAsItIs() {
    Throwable thrown = new IllegalStateException("GET /v1/topics/orders", new Exception("x"));
    assertSame(thrown, filtered(thrown));
  }

  @Test
  void aLineWithoutAStackPasses() {
    LogRecord line = new LogRecord(Level.INFO, "nothing happened");
    assertTrue(new StackFilter().isLoggable(line));
    assertNull(line.getThrown());
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/" + TOKEN + "/purge, /v1/<capability>/purge",
    "Authorization: Bearer mZ3_-secret.of/some+kind=, Authorization: Bearer <secret>",
    "a=b; mailbox_console=0123456789abcdefghijklmnopq; c=d, a=b; mailbox_console=<secret>; c=d",
    "/v1/rendezvous/tokens/mZ3_-secret/rotate, /v1/rendezvous/tokens/<token>/rotate",
    "Bearer token expected, Bearer token expected"
  })
  void secretsOfMessagesCausesAndSuppressedAreTakenOut(String text, String expected) {
    IllegalStateException thrown =
        new IllegalStateException("first " + text, new Exception("second " + text));
    thrown.addSuppressed(new Exception("third " + text));
    String whole = stack(thrown);
    Throwable filtered = filtered(thrown);
    assertEquals(whole.replace(text, expected), stack(filtered));
    assertSame(filtered, filtered(filtered), "by the next handler");
  }

  @Test
  void aSecretAtTheEndOfALineEndsThere() {
    String stack = stack(filtered(new Exception("/v1/rendezvous/tokens/mZ3_-secret\nnext")));
    assertTrue(
        stack.startsWith("java.lang.Exception: /v1/rendezvous/tokens/<token>\nnext\n"), stack);
  }
}
