package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

/** The script that runs a pair of brokers, PostgreSQL and the service for a try. */
@Tag("nightly")
class TryIT {
  private static final Duration SOON = Duration.ofMinutes(2);

  /** Two brokers and the database, which tries several. */
  private static final int PORTS = 6;

  private final Path home = Path.of(System.getProperty("mailbox.server.home")).toAbsolutePath();
  private final int offset = PortOffset.free();
  private final int brokers = PortOffset.freePorts(PORTS);

  @TempDir private Path directory;

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

  /** Ends it with SIGTERM, after which nothing of it is left. */
  private void whileItRuns(Work work) throws IOException {
    ProcessTree running = new ProcessTree(builder().start());
    try {
      Deadline.in(SOON).await(() -> isReady(running), () -> "readiness\n" + printed());
      work.run();
      assertEquals(0, running.terminate(SOON), this::printed);
    } finally {
      running.kill();
    }
  }

  private ProcessBuilder builder() {
    ProcessBuilder builder =
        new ProcessBuilder(
                home.resolve("bin/mailbox-try").toString(),
                directory.toString(),
                Integer.toString(brokers))
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
    long id = Long.parseLong(Files.readString(directory.resolve("brokers/a/pid")).strip());
    assertTrue(ProcessHandle.of(id).orElseThrow().destroyForcibly());
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
    return directory.resolve("data/mailbox/operator.cap");
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
