package org.svcmailbox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Arguments that are refused before any call, and texts about arguments. */
class UsageTest extends CliTest {
  UsageTest() throws IOException {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "frobnicate",
        "dlq",
        "send",
        "send two words more",
        "send orders --key a --lines",
        "send orders --key a --key-from /id",
        "send orders --rejects rejects.txt",
        "send orders --key-from id",
        "send orders --delay 8d",
        "send orders --delay soon",
        "send orders --attr mailbox.reply_to=x",
        "send orders no-such-file",
        "send orders --timeout 0s",
        "send orders --timeout 5m",
        "recv orders -n 0",
        "recv orders -n many",
        "recv orders --wait -PT1S",
        "recv orders --wait 400d",
        "recv orders --visibility 1ms",
        "recv orders --visibility 13h",
        "recv orders --ack --exec true",
        "recv orders --retry-delay 1s",
        "recv orders --exec true --retry-delay 13h",
        "recv or/ders",
        "ack no-id",
        "ack --receipt r",
        "nack 01JD2Q6V7Y8Z9A0B1C2D3E4F5G --dead-letter",
        "nack 01JD2Q6V7Y8Z9A0B1C2D3E4F5G --dead-letter --reason x --delay 1s",
        "extend 01JD2Q6V7Y8Z9A0B1C2D3E4F5G",
        "peek orders -n 101",
        "dlq list orders --since yesterday",
        "dlq reprocess orders",
        "dlq discard orders --yes",
        "dlq reprocess orders 01JD2Q6V7Y8Z9A0B1C2D3E4F5G --reason expired --note x",
        "dlq resend orders 01JD2Q6V7Y8Z9A0B1C2D3E4F5G",
        "dlq jobs --pause",
        "dlq jobs j0123456789abcdef --pause --cancel",
        "dlq jobs 17",
        "cap narrow",
        "cap narrow --ops fly",
        "cap mint --topic orders",
        "cap revoke",
        "cap revoke --nonce 00 --key-id k1",
        "cap inspect no-such-file",
        "ledger export orders",
        "verify ledger --anchor 17",
        "verify ledger --anchor 1:b3:"
            + "0000000000000000000000000000000000000000000000000000000000000000 --anchor 1:b3:"
            + "1111111111111111111111111111111111111111111111111111111111111111",
        "completion fish"
      })
  void isRefused(String line) {
    Result result = run(line.isEmpty() ? new String[0] : line.split(" ", -1));
    assertEquals(2, result.code(), result::err);
    assertEquals("", result.out());
    assertTrue(result.err().startsWith("mailbox: "), result.err());
    assertEquals(0, service.requests().size());
  }

  /** A secret on the command line was a mistake; the message must not spread it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "topics --token %s",
        "topics --token=%s",
        "topics --url=%s",
        "topics --timeout=%s",
        "topics orders %s",
        "topics %s",
        "recv %s",
        "dlq jobs %s",
        "cap narrow --caveat %s",
        "cap inspect %s",
        "verify ledger --anchor %s"
      })
  void noMessageRepeatsAToken(String line) {
    service.nextProblem("GET /v1/topics/" + CAPABILITY, 404, "E_NOT_FOUND", "");
    service.nextProblem("POST /v1/recv", 403, "E", ",\"detail\":\"" + CAPABILITY + "\"");
    Result result = run(line.formatted(CAPABILITY).split(" ", -1));
    assertTrue(result.code() == 2 || result.code() == 3, result::toString);
    assertFalse(result.err().isEmpty());
    assertFalse(result.toString().contains(CAPABILITY), result::toString);
  }

  @Test
  void unknownArgumentsAreNamedWithoutTheirValues() {
    Result option = run("topics", "--password=hunter2");
    assertTrue(option.err().contains("unknown: --password\n"), option.err());
    assertFalse(option.err().contains("hunter2"), option.err());
    assertTrue(run("topics", "-phunter2").err().contains("unknown: -p\n"));
    assertFalse(run("topics", "orders", "hunter2").err().contains("hunter2"));
    assertFalse(run("topics", "--url=http://kim:hunter2@a b").err().contains("hunter2"));
  }

  @Test
  void theVersionAndHelpAreText() {
    assertTrue(run("--version").out().startsWith("mailbox "));
    Result help = run("--help");
    assertEquals(0, help.code());
    assertTrue(help.out().contains("Exit codes:"), help.out());
  }

  @Test
  void everyCommandHasHelpThatFitsATerminal() {
    Deque<CommandLine> left = new ArrayDeque<>();
    MailboxCommand root =
        new MailboxCommand(
            new Surroundings(in, System.out, System.err, environment, false, false),
            new Interrupts());
    left.add(CommandTree.of(root));
    int commands = 0;
    while (!left.isEmpty()) {
      CommandLine command = left.remove();
      left.addAll(command.getSubcommands().values());
      String name = command.getCommandSpec().qualifiedName();
      String[] arguments = (name + " --help").split(" ", -1);
      Result help = run(Stream.of(arguments).skip(1).toArray(String[]::new));
      assertEquals(0, help.code(), name);
      assertTrue(help.out().startsWith("Usage: " + name), help.out());
      help.out().lines().forEach(line -> assertTrue(line.length() <= 80, line));
      commands++;
    }
    assertEquals(27, commands);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void theCompletionScriptIsOneThatAShellReads(String shell) throws Exception {
    Result script = run("completion", shell);
    assertEquals(0, script.code());
    assertTrue(script.out().contains("reprocess"), "a command that is missing");
    Path file = write("completion", script.out());
    Process check =
        new ProcessBuilder("bash", "-n", file.toString()).redirectErrorStream(true).start();
    String said = new String(check.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, check.waitFor(), said);
  }

  @Test
  void theCompletionScriptCompletes() throws Exception {
    Path file = write("completion", run("completion", "bash").out());
    Path asking =
        write(
            "ask",
            "source "
                + file
                + "\nCOMP_WORDS=(mailbox dlq re); COMP_CWORD=2; _complete_mailbox\n"
                + "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    Process bash = new ProcessBuilder("bash", asking.toString()).start();
    String said = new String(bash.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, bash.waitFor());
    assertEquals("reprocess resend", String.join(" ", said.lines().sorted().toList()));
  }

  @Test
  void aRejectsFileIsNotTheInput() throws IOException {
    Path lines = write("lines", "one\n");
    Result result =
        run("send", "orders", lines.toString(), "--lines", "--rejects", lines.toString());
    assertEquals(2, result.code());
    assertEquals("one\n", Files.readString(lines));
  }
}
