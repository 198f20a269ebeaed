package org.svcmailbox.web.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.refusal.LogText;
import org.svcmailbox.guard.StackFilter;

/** The filters of the server's own log lines, held against those of the service's. */
class ContainerLogTest {
  private static final Pattern SUBSTITUTION =
      Pattern.compile("substituteAll\\(\\\\\"(.*?)\\\\\",\\\\\"(.*?)\\\\\"\\)");

  private static List<String> configuration() throws IOException {
    return Files.readAllLines(Path.of("../server/config/wildfly/50-logging.cli"));
  }

  private static List<String> filters() throws IOException {
    return configuration().stream().filter(line -> line.contains("substituteAll")).toList();
  }

  private static String filtered(String line) throws IOException {
    String text = line;
    for (MatchResult each : SUBSTITUTION.matcher(filters().get(0)).results().toList()) {
      text = text.replaceAll(each.group(1), each.group(2));
    }
    return text;
  }

  @Test
  void everyHandlerHasTheSameFilter() throws IOException {
    assertEquals(2, filters().size());
    assertEquals(
        1, filters().stream().map(line -> line.substring(line.indexOf("all("))).distinct().count());
    assertEquals(4, SUBSTITUTION.matcher(filters().get(0)).results().count());
  }

  @Test
  void everyHandlerTakesSecretsOutOfStacks() throws IOException {
    String filter =
        "/subsystem=logging/filter=STACKS:add(module=org.svcmailbox.guard, class=%s)"
            .formatted(StackFilter.class.getName());
    assertTrue(configuration().contains(filter), filter);
    for (String line : filters()) {
      assertTrue(line.contains("value=\"all(STACKS,"), line);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/topics/AgEHbWFpbGJveAIvbWIxOmstMjNhNjgyZjU6ZThmOWJkYTcxMDA2MmExNDA2ZjM1YWEw_-A/purge",
        "/v1/%41gFAbWFpbGJveAIvbWIxOmstMjNhNjgyZjU6ZThmOWJkYTcxMDA2MmEx%4eDA2ZjM1YWEw_-A",
        "/v1/%2541%2567%254CbWFpbGJveAIvbWIxOmstMjNhNjgyZjU6ZThmOWJkYTcxMDA2MmExNDA2",
        "/v1/topics/AgEHbWFpbGJveA",
        "/v1 with Authorization: Bearer mZ3_-secret.of/some+kind=",
        "/v1 with bearer mZ3_-secret",
        "/v1 with Cookie: mailbox_console=0123456789abcdefghijklmnopq; a=b",
        "/v1/rendezvous/tokens/mZ3_-secret/rotate",
        "/v1/rendezvous/tokens/mZ3_-secret",
        "/v1/rendezvous/tokens/0123456789abcdef/rotate",
        "/v1/rendezvous/tokens/0123456789abcdef",
        "/v1/rendezvous/tokens/0123456789abcdef0",
        "/v1/mailbox/0123ABcd0123ABcd0123ABcd0123ABcd0123ABcd0123ABcd0123ABcd0123ABcd"
      })
  void thePathOfARequestIsWrittenAsTheServiceWritesIt(String path) throws IOException {
    String line = "UT005023: Exception handling request to " + path;
    assertEquals(LogText.of(line), filtered(line));
    assertEquals(LogText.of(line), stackFiltered(line));
  }

  private static String stackFiltered(String message) {
    LogRecord line = new LogRecord(Level.SEVERE, "a stack follows");
    line.setThrown(new IllegalStateException(message));
    new StackFilter().isLoggable(line);
    String text = line.getThrown().toString().lines().findFirst().orElseThrow();
    return text.substring(text.indexOf(": ") + 2);
  }
}
