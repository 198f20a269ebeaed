package org.svcmailbox.it.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.cli.MailboxCli;
import org.svcmailbox.cli.Surroundings;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.process.ProcessTree;

/** The command line on the laid-out server: most of it in this process, the rest as installed. */
@ContractTest
class CliIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final MailboxClient client;
  private final CallTarget target;

  CliIT(MailboxClient client) {
    this.client = client;
    this.target = client.target();
  }

  /** How a command ended. */
  private record Result(int code, String out, String err) {
    List<JsonNode> lines() throws IOException {
      List<JsonNode> lines = new ArrayList<>();
      for (String line : out.lines().toList()) {
        lines.add(MAPPER.readTree(line));
      }
      return lines;
    }

    Result expect(int expected) {
      assertEquals(expected, code, this::toString);
      return this;
    }

    JsonNode line() throws IOException {
      assertEquals(1, lines().size(), this::toString);
      return lines().get(0);
    }
  }

  private Map<String, String> environment() throws IOException {
    Path token = directory.resolve("operator.cap");
    if (!Files.exists(token)) {
      Files.writeString(token, requireNonNull(target.token().get()));
    }
    return Map.of(
        "MAILBOX_URL",
        target.server().toString(),
        "MAILBOX_TOKEN_FILE",
        token.toString(),
        "PATH",
        System.getenv("PATH"),
        "JAVA_HOME",
        System.getProperty("java.home"));
  }

  private Result run(String... arguments) throws IOException {
    return runOn("", arguments);
  }

  private Result runOn(String input, String... arguments) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Surroundings surroundings =
        new Surroundings(
            new ByteArrayInputStream(input.getBytes(UTF_8)),
            out,
            new PrintStream(err, true, UTF_8),
            environment(),
            false,
            false);
    int code = MailboxCli.run(surroundings, arguments);
    return new Result(code, out.toString(UTF_8), err.toString(UTF_8));
  }

  private static Path installation() {
    return Path.of(System.getProperty("mailbox.cli"));
  }

  /** The installed program. An ignored SIGINT of this process is not passed on to it. */
  private ProcessBuilder program(Path home, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.add(home.resolve("bin/mailbox").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("MAILBOX_"));
    builder.environment().putAll(environment());
    return builder.redirectError(directory.resolve("errors").toFile());
  }

  private Result ended(Process process) throws Exception {
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "it goes on");
    return new Result(process.exitValue(), out, Files.readString(directory.resolve("errors")));
  }

  private JsonNode topic(String name) throws IOException {
    return client.topic(name).expect(200).json();
  }

  @Test
  void linesThatAreSentAgainAreThereOnce() throws IOException {
    String topic = TestTopics.fresh("cli-lines");
    String lines =
        IntStream.range(0, 250)
            .mapToObj(i -> "{\"line\":" + i % 10 + "}\n")
            .collect(Collectors.joining());
    List<JsonNode> first = runOn(lines, "send", topic, "--lines").expect(0).lines();
    assertEquals(250, first.size());
    List<JsonNode> second = runOn(lines, "send", topic, "--lines").expect(0).lines();
    for (int i = 0; i < 250; i++) {
      assertEquals(first.get(i).path("msg_id"), second.get(i).path("msg_id"));
      assertFalse(first.get(i).path("duplicate").asBoolean());
      assertTrue(second.get(i).path("duplicate").asBoolean());
    }
    assertEquals(250, topic(topic).path("ready").asInt());
    assertEquals(topic, run("topics", topic).line().path("name").asText());
  }

  @Test
  void receivedMessagesAreVerifiedAndAcknowledged() throws IOException {
    String topic = TestTopics.fresh("cli-recv");
    runOn("two apples", "send", topic, "--attr", "colour=red").expect(0);
    assertEquals(1, run("peek", topic).expect(0).lines().size());
    Result received = run("recv", topic, "--wait", "10s", "--visibility", "60s").expect(0);
    runOn(received.out(), "verify", "envelope").expect(0);
    runOn(received.out().replace("colour", "flavour"), "verify", "envelope").expect(5);
    runOn(received.out(), "extend", "--visibility", "90s").expect(0);
    runOn(received.out(), "ack").expect(0);
    run("ack", received.line().path("msg_id").asText()).expect(0);
    run("recv", topic).expect(6);
  }

  @Test
  void aCommandAcknowledgesOrNacksWithItsLastErrorLine() throws IOException {
    String topic = TestTopics.fresh("cli-exec");
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    runOn("good\nbad\n", "send", topic, "--lines").expect(0);
    Result result =
        run(
            "recv",
            topic,
            "-n",
            "2",
            "--wait",
            "10s",
            "--visibility",
            "60s",
            "--retry-delay",
            "0s",
            "--exec",
            "read -r body; [ \"$body\" = good ] || { echo 'no basket' >&2; exit 3; }");
    result.expect(1);
    assertTrue(result.lines().get(0).path("acknowledged").asBoolean(), result::toString);
    assertEquals("no basket", result.lines().get(1).path("error").asText());
    Deadline.in(PATIENCE)
        .await(() -> !run("peek", topic).lines().isEmpty(), () -> "the nacked message");
    JsonNode left = run("peek", topic).line();
    assertEquals("no basket", left.path("last_error").asText());
    assertEquals(2, left.path("attempt").asInt());
  }

  @Test
  @ResourceLock(SampleCalls.JOBS)
  void deadLettersAreCountedAndThenReprocessed() throws IOException {
    String topic = TestTopics.fresh("cli-dead");
    JobLetters letters = JobLetters.of(client, topic);
    letters.dead(3);
    List<JsonNode> listed = run("dlq", "list", topic, "--reason=max_attempts").expect(0).lines();
    assertEquals(3, listed.size());
    assertEquals(3, run("dlq", "groups", topic).expect(0).line().path("count").asInt());

    JsonNode counted = run("dlq", "reprocess", topic, "--dry-run").expect(0).line();
    assertEquals(3, counted.at("/by_reason/max_attempts").asInt());
    assertEquals(3, letters.count());
    run("dlq", "reprocess", topic, "--note", "x").expect(2);
    assertEquals(3, letters.count());

    String first = listed.get(0).path("msg_id").asText();
    run("dlq", "show", topic, first).expect(0);
    run("dlq", "resend", topic, first, "--yes", "--note", "a test").expect(0);
    JsonNode job = run("dlq", "reprocess", topic, "--yes", "--note", "a test").expect(0).line();
    assertEquals(2, job.path("done").asInt());
    assertEquals(
        job.path("job_id"), run("dlq", "jobs", "--topic", topic).expect(0).line().path("job_id"));
    assertEquals(0, letters.count());
    assertEquals(3, topic(topic).path("ready").asInt());
  }

  @Test
  void aCapabilityIsNarrowedOfflineMintedAndRevoked() throws IOException {
    String topic = TestTopics.fresh("cli-cap");
    Path narrow = directory.resolve("narrow.cap");
    run("cap", "narrow", "--topic", topic, "--ops", "recv", "--out", narrow.toString()).expect(0);
    Result refused = runOn("x", "send", topic, "--token-file", narrow.toString()).expect(3);
    assertTrue(refused.err().contains("E_CAP_SCOPE"), refused::err);
    assertFalse(refused.err().contains(Files.readString(narrow).strip()), refused::err);
    runOn("x", "send", topic).expect(0);
    run("recv", topic, "--wait", "10s", "--token-file", narrow.toString()).expect(0);

    Path minted = directory.resolve("minted.cap");
    run("cap", "mint", "--ops", "peek", "--expires-in", "1h", "--out", minted.toString()).expect(0);
    run("topics", topic, "--token-file", minted.toString()).expect(0);
    run("cap", "revoke", minted.toString()).expect(0);
    Result revoked = run("topics", topic, "--token-file", minted.toString()).expect(3);
    assertTrue(revoked.err().contains("revoked"), revoked::err);
  }

  @Test
  void anExportedLedgerIsVerifiedOfflineAndAnAlteredOneIsNot() throws IOException {
    String topic = "cli-ledger-" + UUID.randomUUID();
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    runOn("one\ntwo\nthree\n", "send", topic, "--lines").expect(0);
    Result exported = run("ledger", "export", topic, "--shard", "0").expect(0);
    JsonNode verdict = runOn(exported.out(), "verify", "ledger").expect(0).line();
    assertEquals(3, verdict.path("last").asInt());

    String anchor = verdict.path("anchor").asText();
    runOn("four\n", "send", topic, "--lines").expect(0);
    Result longer = run("ledger", "export", topic, "--shard", "0").expect(0);
    JsonNode anchored = runOn(longer.out(), "verify", "ledger", "--anchor", anchor).line();
    assertTrue(anchored.path("anchored").asBoolean(), anchored::toString);

    byte[] altered = exported.out().getBytes(ISO_8859_1);
    altered[altered.length / 2] ^= 1;
    runOn(new String(altered, ISO_8859_1), "verify", "ledger").expect(5);
  }

  @Test
  void aServerThatIsAwayIsUnavailable() throws IOException {
    run("topics", "--url", "http://127.0.0.1:1", "--timeout", "200ms").expect(4);
    runOn("x", "send", "x", "--url", "http://127.0.0.1:1", "--timeout", "200ms").expect(4);
    run("recv", "x", "--url", "http://127.0.0.1:1").expect(4);
  }

  @Test
  void messagesThatCannotBeWrittenOutComeBack() throws Exception {
    String topic = TestTopics.fresh("cli-full");
    runOn("one\n", "send", topic, "--lines").expect(0);
    Process full =
        program(installation(), "recv", topic, "--wait", "10s", "--ack")
            .redirectOutput(Path.of("/dev/full").toFile())
            .start();
    ended(full).expect(1);
    JsonNode again = run("recv", topic, "--wait", "10s").expect(0).line();
    assertEquals(2, again.path("attempt").asInt());
  }

  @Test
  void ctrlCEndsTheCommandAndGivesItsMessageBack() throws Exception {
    String topic = TestTopics.fresh("cli-ctrl-c");
    runOn("one\n", "send", topic, "--lines").expect(0);
    Path begun = directory.resolve("begun");
    Process receiver =
        program(
                installation(),
                "recv",
                topic,
                "--wait",
                "30s",
                "--visibility",
                "10m",
                "--exec",
                "touch '" + begun + "'; sleep 600")
            .start();
    ProcessTree tree = new ProcessTree(receiver);
    try {
      Deadline.in(PATIENCE).await(() -> Files.exists(begun), () -> "the command");
      new ProcessBuilder("kill", "-INT", Long.toString(receiver.pid())).start().waitFor();
      ended(receiver).expect(130);
    } finally {
      tree.kill();
    }
    JsonNode again = run("recv", topic, "--wait", "10s").expect(0).line();
    assertEquals(2, again.path("attempt").asInt());
  }

  @Test
  void theInstalledProgramRunsThroughALinkAndStartsFromAnArchive() throws Exception {
    Path home = directory.resolve("copy");
    copy(installation(), home);
    Path linked = directory.resolve("linked");
    Path programs = Files.createDirectories(linked.resolve("bin"));
    Files.createSymbolicLink(programs.resolve("mailbox"), home.resolve("bin/mailbox"));
    assertFalse(isArchived(loaded(linked)));

    ProcessBuilder archiving = new ProcessBuilder(home.resolve("bin/mailbox-cds").toString());
    archiving.environment().putAll(environment());
    assertEquals(0, archiving.inheritIO().start().waitFor());
    assertTrue(isArchived(loaded(linked)));
  }

  private static void copy(Path from, Path to) throws IOException {
    for (String part : List.of("bin", "lib")) {
      Files.createDirectories(to.resolve(part));
      try (Stream<Path> files = Files.list(from.resolve(part))) {
        for (Path file : files.toList()) {
          Files.copy(
              file,
              to.resolve(part).resolve(file.getFileName().toString()),
              StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  /** The JVM's log of the classes that a command loads. */
  private List<String> loaded(Path home) throws Exception {
    Path log = directory.resolve("classes");
    ProcessBuilder program = program(home, "cap", "inspect");
    program.environment().put("MAILBOX_CLI_JAVA_OPTS", "-Xlog:class+load:file=" + log);
    Result result = ended(program.start()).expect(0);
    assertTrue(result.line().has("nonce"), result::toString);
    assertEquals("", result.err());
    return Files.readAllLines(log);
  }

  private static boolean isArchived(List<String> loaded) {
    return loaded.stream()
        .anyMatch(
            line ->
                line.contains(" org.svcmailbox.cli.TokenFiles ")
                    && line.contains("shared objects file"));
  }
}
