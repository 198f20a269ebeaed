package org.svcmailbox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.client.memory.InMemoryDriver;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.process.ProcessTree;

/** A worker in a process of its own, whose shutdown hook stops its loop. */
@Timeout(180)
class TerminationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final int SIGTERM_EXIT = 128 + 15;
  private static final int GRACE_SECONDS = 5;

  private final QueueService service = new QueueService();
  private final InMemoryDriver orders = service.topic("orders");

  @TempDir private Path directory;

  TerminationTest() throws IOException {}

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aTerminatedWorkerAcknowledgesWhatEndsInTimeAndReturnsTheRest() throws Exception {
    List<String> bodies = List.of("ends", "ends", "waits", "waits", "deaf");
    bodies.forEach(body -> orders.send(QueueService.message(body)));
    Path output = directory.resolve("output.txt");
    ProcessTree worker = start(bodies.size(), output);
    try {
      Deadline.in(PATIENCE)
          .await(() -> began(output) == bodies.size(), () -> "handlers in " + output(output));

      assertEquals(SIGTERM_EXIT, worker.terminate(PATIENCE));
    } finally {
      worker.kill();
    }

    assertTrue(Files.readAllLines(output).contains("graceful: false"), () -> output(output));
    List<DriverDelivery> returned = orders.receive(bodies.size(), LEASE, Duration.ZERO);
    assertEquals(
        List.of("deaf", "waits", "waits"), returned.stream().map(this::body).sorted().toList());
    assertEquals(3, orders.approximateCount());
    for (DriverDelivery delivery : returned) {
      assertEquals(2, delivery.deliveryCount());
      assertEquals("the worker stopped", delivery.lastError());
    }
  }

  private ProcessTree start(int workers, Path output) throws IOException {
    return new ProcessTree(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                TerminatedWorker.class.getName(),
                "http://127.0.0.1:" + service.port(),
                "orders",
                String.valueOf(workers),
                String.valueOf(GRACE_SECONDS))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start());
  }

  private static long began(Path output) throws IOException {
    try (Stream<String> lines = Files.lines(output)) {
      return lines.filter(line -> line.startsWith("began ")).count();
    }
  }

  private static String output(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private String body(DriverDelivery delivery) {
    return new String(delivery.message().payload().bytes(), UTF_8);
  }
}
