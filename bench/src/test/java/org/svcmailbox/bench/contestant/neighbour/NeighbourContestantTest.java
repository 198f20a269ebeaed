package org.svcmailbox.bench.contestant.neighbour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.QueueClient;
import org.svcmailbox.bench.load.Work;
import org.svcmailbox.test.concurrent.Deadline;

class NeighbourContestantTest {
  private static final String QUEUE = "bench.neighbour.1";
  private static final int FILLED = 2_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path work;

  static Stream<NeighbourContestant> all() {
    return Stream.of(
        new RabbitMqContestant(),
        new NatsContestant(),
        new RedisContestant(),
        new BeanstalkdContestant());
  }

  @Test
  void aMissingServerIsNamedByItsPackage() {
    NeighbourContestant missing =
        new NeighbourContestant("a-package", "a-program-that-does-not-exist") {
          @Override
          ProcessBuilder process(Path directory, int port) {
            throw new AssertionError();
          }

          @Override
          QueueClient client(String queue) {
            throw new AssertionError();
          }

          @Override
          public String name() {
            return "missing";
          }

          @Override
          public String title() {
            return "missing";
          }

          @Override
          public String durability() {
            return "none";
          }

          @Override
          public void create(String queue) {}

          @Override
          public void delete(String queue) {}
        };
    assertEquals(Optional.of("apt-get install a-package"), missing.missing());
    missing.close();
  }

  @ParameterizedTest
  @MethodSource("all")
  @Tag("nightly")
  void everyMessageIsReceivedOnceAndNoProcessStays(NeighbourContestant contestant)
      throws Exception {
    assumeTrue(contestant.missing().isEmpty(), () -> contestant.name() + " is not installed");
    List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
    try (contestant) {
      contestant.start(work.resolve("data"), work.resolve("output.txt"));
      contestant.create(QUEUE);
      contestant.fill(QUEUE, FILLED);
      assertEquals(FILLED, run(contestant, Load.closed(Work.RECV, 8, 10)));
      assertEquals(0, receive(contestant), "all are acknowledged");
      assertTrue(run(contestant, Load.closed(Work.SEND, 8, 1)) > 0);
      contestant.delete(QUEUE);
      contestant.create(QUEUE);
      assertEquals(0, receive(contestant), "all are deleted");
    }
    Deadline.in(PATIENCE)
        .await(
            () -> ProcessHandle.current().descendants().toList().equals(before),
            () -> "the end of " + contestant.name());
  }

  private static int receive(NeighbourContestant contestant) throws Exception {
    try (QueueClient client = contestant.client(QUEUE)) {
      return client.receive(1);
    }
  }

  private static long run(NeighbourContestant contestant, Load load) throws Exception {
    return contestant
        .run(load, QUEUE, Duration.ofSeconds(load.work() == Work.RECV ? 60 : 1))
        .messages();
  }
}
