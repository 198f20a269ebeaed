package org.svcmailbox.it.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Lines of a server's console that an outage or a failed start must not leave. */
public final class ConsoleNoise {
  /** Of a stack trace, and warnings and errors of others than the service, on either server. */
  private static final Predicate<String> NOISE =
      Pattern.compile(
              "\\s+at .*|Caused by: .*|\\s*\\.\\.\\. \\d+ more"
                  + "|.* (?:WARN|ERROR) +\\[(?!org\\.svcmailbox\\.).*"
                  + "|\\[[^]]*] \\p{XDigit}{8} (?!org\\.svcmailbox\\.)\\S+ +[WE] .*")
          .asMatchPredicate();

  private static final Predicate<String> TROUBLE =
      Pattern.compile(".* (?:WARN|ERROR) +\\[.*|\\[[^]]*] \\p{XDigit}{8} \\S+ +[WE] .*")
          .asMatchPredicate();

  /** The server's own sum of a start: how many of its services failed, and its duration. */
  private static final String SUM = "WFLYSRV0026";

  private ConsoleNoise() {}

  public static void assertNone(List<String> console) {
    assertEquals(List.of(), console.stream().filter(NOISE).toList());
  }

  /** Warnings and errors of the service. */
  public static List<String> troubles(List<String> console) {
    return console.stream().filter(TROUBLE).toList();
  }

  /** A start said once why it failed, and left neither a stack trace nor what others say of it. */
  public static void assertFailed(MailboxServer server, int code, String why) {
    assertEquals(code, server.awaitEnd(), "exit code");
    List<String> console =
        server.outputLines().stream().filter(line -> !line.contains(SUM)).toList();
    assertEquals(
        1,
        console.stream().filter(line -> line.contains(why)).count(),
        () -> String.join("\n", console));
    assertNone(console);
  }
}
