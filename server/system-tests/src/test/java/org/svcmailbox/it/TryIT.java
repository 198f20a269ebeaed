package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.BrokerMember;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.process.ProcessTree;
import org.svcmailbox.test.process.Programs;

/**
 * The script that runs a pair of brokers, PostgreSQL and the service, or nodes of it, for a try.
 */
@Tag("nightly")
class TryIT {
  private static final Duration SOON = Duration.ofMinutes(2);

  /** Two brokers and the database, which tries several. */
  private static final int PORTS = 6;

  private static final int NODES = 3;
  private static final Map<String, Integer> ALL = Map.of("a", 2, "b", 2, "c", 2);

  private final Path home = Path.of(System.getProperty("mailbox.server.home")).toAbsolutePath();
  private final int offset = PortOffset.freePorts(1 + NODES) - PortOffset.HTTP;
  private final int brokers = PortOffset.freePorts(PORTS);

  @TempDir private Path directory;

  /** The data directory of the server whose operator calls. */
  private String data = "data";

  private interface Work {
    void run() throws IOException;
  }

  @BeforeAll
  static void install() {
    Path unused = Programs.require("postgresql", "pg_ctlcluster");
  }

  @Test
  void everythingSurvivesABrokersDeathAndAnEnd() throws IOException {
    whileItRuns(
        () -> {
          client().send("orders", "before", new byte[10]).expect(200);
          killServingBroker();
          Deadline.in(SOON).await(() -> isTaken("after"), () -> "an answer\n" + printed());
        });
    whileItRuns(
        () -> {
          assertTrue(client().send("orders", "before", new byte[10]).expect(200).duplicate());
          Fields all = Fields.of("topic", "orders").with("max_messages", 10).with("wait_ms", 5_000);
          List<Message> messages = client().recvAll(all, 2);
          Set<String> keys = messages.stream().map(Message::idemKey).collect(Collectors.toSet());
          assertEquals(Set.of("before", "after"), keys);
          for (Message message : messages) {
            client().ack(message).expect(200);
          }
        });
  }

  @Test
  void aNodeThatIsKilledComesBackAndTheOthersServeMeanwhile() throws IOException {
    Path unused = Programs.require("haproxy", "haproxy");
    data = "a";
    List<String> nodes = List.of("--nodes", Integer.toString(NODES));
    whileItRuns(
        nodes,
        () -> {
          awaitShares(ALL);
          client().putTopic("orders", Fields.of("ready_shards", 12)).expect(201);
          client().send("orders", "before", new byte[10]).expect(200);
          long killed = process("b.pid");
          assertTrue(ProcessHandle.of(killed).orElseThrow().destroyForcibly());
          for (int i = 0; i < 50; i++) {
            String key = "after-" + i;
            Deadline.in(SOON).await(() -> isTaken(key), () -> key + "\n" + printed());
          }
          assertEquals(Map.of("a", 3, "c", 3), shares());
          awaitShares(ALL);
          assertNotEquals(killed, process("b.pid"));
        });
    whileItRuns(
        nodes,
        () -> {
          awaitShares(ALL);
          assertTrue(client().send("orders", "before", new byte[10]).expect(200).duplicate());
          Fields all = Fields.of("topic", "orders").with("max_messages", 60).with("wait_ms", 5_000);
          for (Message message : client().recvAll(all, 51)) {
            client().ack(message).expect(200);
          }
          assertEquals(List.of(), client().recv("orders").expect(200).messages());
        });
  }

  private void awaitShares(Map<String, Integer> wanted) {
    Deadline.in(SOON).await(() -> shares().equals(wanted), () -> shares() + "\n" + printed());
  }

  /** How many groups each node said last that it has. */
  private Map<String, Integer> shares() {
    Map<String, Integer> shares = new TreeMap<>();
    try {
      for (JsonNode group : client().get("/v1/cluster").json().path("groups")) {
        shares.merge(group.path("holder").asText("none"), 1, Integer::sum);
      }
    } catch (IOException e) {
      // No node answers yet.
      return Map.of();
    }
    return shares;
  }

  private void whileItRuns(Work work) throws IOException {
    whileItRuns(List.of(), work);
  }

  /** Ends it with SIGTERM, after which nothing of it is left. */
  private void whileItRuns(List<String> options, Work work) throws IOException {
    ProcessTree running = new ProcessTree(builder(options).start());
    try {
      Deadline.in(SOON).await(() -> isReady(running), () -> "readiness\n" + printed());
      work.run();
      assertEquals(0, running.terminate(SOON), this::printed);
    } finally {
      running.kill();
    }
  }

  private ProcessBuilder builder(List<String> options) {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/mailbox-try").toString()));
    command.addAll(options);
    command.addAll(List.of(directory.toString(), Integer.toString(brokers)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(console().toFile()));
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("MAILBOX_"));
    environment.putAll(BrokerMember.distribution());
    environment.put("MAILBOX_PORT_OFFSET", Integer.toString(offset));
    environment.put("MAILBOX_JAVA_OPTS", MailboxServer.FAST_START);
    return builder;
  }

  /** The first that was started; the other waits for its end. */
  private void killServingBroker() throws IOException {
    assertTrue(ProcessHandle.of(process("brokers/a/pid")).orElseThrow().destroyForcibly());
  }

  private long process(String file) throws IOException {
    return Long.parseLong(Files.readString(directory.resolve(file)).strip());
  }

  private boolean isReady(ProcessTree running) throws IOException {
    assertTrue(running.isAlive(), this::printed);
    try {
      return Files.exists(operator()) && client().with(null).get("/readyz").status() == 200;
    } catch (IOException e) {
      // Not listening yet.
      return false;
    }
  }

  private boolean isTaken(String key) throws IOException {
    return client().send("orders", key, new byte[10]).status() == 200;
  }

  private MailboxClient client() {
    URI uri = URI.create("http://127.0.0.1:" + (PortOffset.HTTP + offset));
    return new MailboxClient(CallTarget.asOperator(uri, operator()));
  }

  private Path operator() {
    return directory.resolve(data).resolve("mailbox/operator.cap");
  }

  private Path console() {
    return directory.resolveSibling(directory.getFileName() + ".txt");
  }

  private String printed() {
    try {
      return Files.readString(console());
    } catch (IOException e) {
      return e.toString();
    }
  }
}
