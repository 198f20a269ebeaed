package org.svcmailbox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Arguments that are refused before any call, and texts about arguments. */
class UsageTest extends CliTest {
  private static final Pattern JAVA =
      Pattern.compile("[a-z][A-Z]|java|[Ee]xception|class|\\(\\)|PT0|option option");

  /** Each text of a line ends where it begins to. */
  private static final Pattern QUOTED =
      Pattern.compile("complete -c mailbox (-e|-n '[^']+' [a-z -]+ -d '([^'\\\\]|\\\\['\\\\])*')");

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
        "recv orders --stream --wait 0s",
        "recv orders --stream --max 0",
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
        "completion tcsh",
        "topic",
        "topic create orders max_attempts",
        "topic change orders",
        "topic change orders =3",
        "topic delete",
        "send orders --attr colour"
      })
  void isRefused(String line) {
    Result result = run(line.isEmpty() ? new String[0] : line.split(" ", -1));
    assertEquals(2, result.code(), result::err);
    assertEquals("", result.out());
    assertTrue(result.err().startsWith("mailbox: "), result.err());
    assertNamesNoJava(result.err());
    assertEquals(0, service.requests().size());
  }

  /** No methods, fields, classes and durations of Java. */
  private static void assertNamesNoJava(String message) {
    assertFalse(JAVA.matcher(message).find(), message);
  }

  static Stream<String> optionsWithValues() {
    return commands().stream()
        .flatMap(
            command ->
                command.getCommandSpec().options().stream()
                    .filter(option -> option.arity().max() > 0 && option.type() != List.class)
                    .filter(option -> option.type() != String.class && option.type() != Path.class)
                    .map(option -> line(command, option.longestName())));
  }

  /** A value that is none, after those that must be there. */
  private static String line(CommandLine command, String option) {
    String required =
        command.getCommandSpec().requiredArgs().stream()
            .filter(OptionSpec.class::isInstance)
            .map(OptionSpec.class::cast)
            .filter(arg -> !arg.longestName().equals(option))
            .map(arg -> arg.longestName() + (arg.type() == int.class ? " 1 " : " 1d "))
            .collect(Collectors.joining());
    return command.getCommandSpec().qualifiedName() + " " + required + option + " no,n-sense";
  }

  @ParameterizedTest
  @MethodSource("optionsWithValues")
  void aValueThatIsNoneNamesItsOption(String line) {
    List<String> arguments = List.of(line.split(" ", -1));
    Result result = run(arguments.subList(1, arguments.size()).toArray(String[]::new));
    assertEquals(2, result.code(), result::err);
    String option = arguments.get(arguments.size() - 2);
    assertTrue(result.err().contains("for option '" + option + "'"), result.err());
    assertNamesNoJava(result.err());
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "frob; there is no command frob",
        "dlq frob; there is no command frob",
        "cap frob x; there is no command frob",
        "FROB; there is no such command",
        "a-word-that-may-be-a-secret; there is no such command",
        "topics orders more; there are more arguments than are taken"
      },
      delimiter = ';')
  void aCommandThatIsNoneIsNamed(String line, String message) {
    Result result = run(line.split(" ", -1));
    assertEquals(2, result.code());
    assertTrue(result.err().startsWith("mailbox: " + message + "\n"), result.err());
  }

  @Test
  void plainHttpIsRefusedWithTheOptionThatAllowsIt() {
    Result result = run("topics", "--url", "http://192.0.2.1");
    assertTrue(result.err().contains("--allow-plain-http"), result.err());
    assertNamesNoJava(result.err());
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

  private static List<CommandLine> commands() {
    MailboxCommand root =
        new MailboxCommand(
            new Surroundings(
                InputStream.nullInputStream(), System.out, System.err, Map.of(), false, false),
            new Interrupts());
    List<CommandLine> commands = new ArrayList<>(List.of(CommandTree.of(root)));
    for (int i = 0; i < commands.size(); i++) {
      commands.addAll(commands.get(i).getSubcommands().values());
    }
    return commands;
  }

  @Test
  void everyCommandHasHelpThatFitsATerminal() {
    List<CommandLine> commands = commands();
    for (CommandLine command : commands) {
      String name = command.getCommandSpec().qualifiedName();
      String[] arguments = (name + " --help").split(" ", -1);
      Result help = run(Stream.of(arguments).skip(1).toArray(String[]::new));
      assertEquals(0, help.code(), name);
      assertTrue(help.out().startsWith("Usage: " + name), help.out());
      help.out().lines().forEach(line -> assertTrue(line.length() <= 80, line));
    }
    assertEquals(34, commands.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void theCompletionScriptIsOneThatAShellReads(String shell) throws Exception {
    Result script = run("completion", shell);
    assertEquals(0, script.code());
    assertTrue(script.out().contains("reprocess"), "a command that is missing");
    assertTrue(script.out().contains("'--stream'"), "an option that is missing");
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
  void theCompletionForFishHasEachCommandAndOption() {
    List<String> script = run("completion", "fish").out().lines().toList();
    for (CommandLine command : commands()) {
      String name = command.getCommandSpec().name();
      boolean isRoot = command.getParent() == null;
      assertTrue(isRoot || hasLine(script, "-a " + name + " "), name);
      boolean isLeaf = command.getSubcommands().isEmpty();
      command.getCommandSpec().options().stream()
          .filter(option -> isLeaf && option.longestName().startsWith("--"))
          .map(option -> "-l " + option.longestName().substring(2) + " ")
          .forEach(option -> assertTrue(hasLine(script, name + "' ", option), option));
    }
    assertTrue(hasLine(script, "recv' ", "-l stream "), "an option of today");
    script.forEach(line -> assertTrue(QUOTED.matcher(line).matches(), line));
  }

  private static boolean hasLine(List<String> script, String... parts) {
    return script.stream().anyMatch(line -> Stream.of(parts).allMatch(line::contains));
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
