package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.disk.LoopDisk;
import org.svcmailbox.test.process.PostgresServer;

/**
 * A data disk that is filled by the load, by somebody else, and that fails, under a load that notes
 * what it was answered. The system properties {@code disk.seconds} and {@code disk.servers} say for
 * how long the disk is filled and freed, and of which servers.
 */
@Order(1)
class DiskIT {
  private static final long MIB = 1L << 20;
  private static final int DISK_MIB = 512;

  /** Of so small a disk. */
  private static final long RESERVE = 32 * MIB;

  /** Few enough to be taken soon, and more bytes than a broker holds that pages early. */
  private static final int BACKLOG = 1_250;

  /** More than die and are acknowledged in a turn. */
  private static final int LEFT = 300;

  private static final Duration SOON = Duration.ofMinutes(2);

  /** From the moment that there is room; a look at the disk is a second old at most. */
  private static final Duration BACK = Duration.ofSeconds(10);

  private static final Duration CYCLES = Duration.ofSeconds(Integer.getInteger("disk.seconds", 0));

  /** The broker tidies its pages after the ACKs; a look at the disk is believed for less. */
  private static final Duration STILL = Duration.ofSeconds(5);

  private static final String BEGINNING = "] disk is down: ";
  private static final String END = "] disk is up again";

  /** A write error of the broker. */
  private static final int DISK_FAILED = 74;

  /** The servers that can be tried. */
  enum Kind {
    /** The default, except that it pages early. */
    EMBEDDED_PAGING(true, true),
    POSTGRESQL(false, false),
    EMBEDDED(true, false),
    POSTGRESQL_PAGING(false, true);

    private final boolean embedded;
    private final boolean paging;

    Kind(boolean embedded, boolean paging) {
      this.embedded = embedded;
      this.paging = paging;
    }

    /**
     * @param database null for an embedded one
     */
    Map<String, String> settings(@Nullable PostgresServer database) {
      Map<String, String> settings =
          new HashMap<>(database == null ? Map.of() : database.settings());
      // The load has one topic, which is to fill the disk.
      settings.put("MAILBOX_FAIR_SHARE", "100");
      if (paging) {
        settings.put(
            "MAILBOX_JAVA_OPTS",
            MailboxServer.FAST_START + " -Dbrokerconfig.globalMaxSize=" + 16 * MIB);
      }
      return settings;
    }
  }

  @BeforeAll
  static void check() {
    assumeTrue(LoopDisk.isPossible(), "only root can mount a file system to fill and to break");
  }

  static Stream<Kind> kinds() {
    return Stream.of(Kind.values()).limit(Integer.getInteger("disk.servers", 2));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatWasAnsweredIsThereAfterADiskThatWasFullAndOneThatFailed(Kind kind, TestReporter reporter)
      throws Exception {
    // Each has one of its own: a database belongs to one data directory.
    try (PostgresServer database = kind.embedded ? null : PostgresServer.start()) {
      tryOut(kind, MailboxServer.prepare("disk-" + kind, kind.settings(database)), reporter);
    }
  }

  private static void tryOut(Kind kind, MailboxServer server, TestReporter reporter)
      throws Exception {
    try (LoopDisk disk = LoopDisk.mount(server.data(), DISK_MIB);
        server) {
      server.restart();
      MailboxClient client = new MailboxClient(server.target());
      try (DiskLoad load = new DiskLoad(client)) {
        fullByTheLoad(server, disk, load, client);
        int turns = fullByAnother(server, disk, load, client);
        fail(kind, server, disk, load, client);
        load.end();
        assertEquals(DISK_FAILED, server.awaitEnd(), "exit code");
        assertLogged(server, 1 + turns);
        disk.repair();
        unnameAPageFolder(server, kind);
        server.restart();
        load.assertNothingIsLost();
        String figures = kind + ", full " + turns + " times: " + load;
        reporter.publishEntry("disk", figures);
        Files.writeString(server.directory().resolve("figures.txt"), figures + "\n");
      }
    }
  }

  /** Messages are accepted until the reserve is reached; they can be received and settled then. */
  private static void fullByTheLoad(
      MailboxServer server, LoopDisk disk, DiskLoad load, MailboxClient client) throws IOException {
    disk.fill(RESERVE + 32 * MIB);
    load.produce(Integer.MAX_VALUE);
    load.awaitRefused("disk_reserve", SOON);
    assertRefusing(client);
    awaitSaid(server, BEGINNING, 1);
    assertTrue(disk.free() > RESERVE / 2, () -> disk.free() + " bytes are left of the reserve");
    load.consume(true);
    load.awaitAcknowledged(100, SOON);
    disk.clear();
    awaitBack(load, client);
    awaitSaid(server, END, 1);
  }

  /**
   * Somebody else takes the room and gives it back, once or for as long as it is wanted; answers
   * how often.
   */
  private static int fullByAnother(
      MailboxServer server, LoopDisk disk, DiskLoad load, MailboxClient client) throws IOException {
    Deadline over = Deadline.in(CYCLES);
    int turns = 0;
    do {
      turns++;
      load.produce(BACKLOG);
      load.consume(true);
      load.awaitBacklogBelow(BACKLOG, SOON);
      load.consume(false);
      load.awaitBacklog(LEFT, SOON);
      load.produce(Integer.MAX_VALUE);
      disk.fill(RESERVE / 2);
      load.awaitRefused("disk_reserve", SOON);
      assertRefusing(client);
      awaitSaid(server, BEGINNING, 1 + turns);
      load.consume(true);
      load.awaitAcknowledged(100, SOON);
      disk.clear();
      awaitBack(load, client);
      awaitSaid(server, END, 1 + turns);
    } while (!over.isOver());
    load.produce(BACKLOG);
    return turns;
  }

  private static void assertRefusing(MailboxClient client) throws IOException {
    Deadline.in(SOON).await(() -> down(client).contains("disk"), () -> "readiness without disk");
    client.get("/readyz?for=reads").expect(200);
    client.get("/healthz").expect(200);
    Scrape told = Scrape.of(client.get("/metrics").expect(200).text());
    assertEquals(RESERVE, told.value("disk_reserve_bytes{}"));
    assertTrue(told.value("disk_free_bytes{}") < RESERVE, told::toString);
  }

  private static List<String> down(MailboxClient client) throws IOException {
    List<String> down = new ArrayList<>();
    for (JsonNode check : client.get("/readyz").json().path("checks")) {
      if (check.path("status").asText().equals("DOWN")) {
        down.add(check.path("name").asText());
      }
    }
    return down;
  }

  private static void awaitBack(DiskLoad load, MailboxClient client) {
    load.awaitAnswered(1, BACK);
    load.awaitAnswered(100, SOON);
    Deadline.in(BACK).await(() -> client.get("/readyz").status() == 200, () -> "readiness");
  }

  /**
   * The file system becomes read-only, under load or while the broker writes nothing. In the latter
   * case SENDs are refused before they reach the broker, and readiness says why, until something is
   * settled.
   */
  private static void fail(
      Kind kind, MailboxServer server, LoopDisk disk, DiskLoad load, MailboxClient client)
      throws IOException {
    if (!kind.embedded) {
      load.awaitAnswered(100, SOON);
      disk.fail();
      load.settleSome(() -> !server.isAlive(), SOON);
      return;
    }
    load.consume(false);
    load.awaitBacklog(BACKLOG, SOON);
    load.quieten(SOON);
    // A worker returns what it fetched when nobody asks any more, which writes. A new one fetched
    // nothing.
    assertEquals(0, server.terminate(), "exit code");
    server.restart();
    awaitStill(server.data().resolve("activemq"));
    disk.fail();
    // A SEND before the service has looked at the disk would reach the broker, which ends it.
    Deadline.in(SOON).await(() -> down(client).contains("disk"), () -> "readiness without disk");
    load.produce(Integer.MAX_VALUE);
    load.awaitRefused("disk_failed", SOON);
    client.get("/healthz").expect(200);
    assertTrue(server.isAlive());
    load.settleSome(() -> !server.isAlive(), SOON);
  }

  /**
   * Returns when no file has been written for a while. A broker that has just started has more to
   * do: it opens its pages, which needs a disk that can be written and leaves no trace.
   */
  private static void awaitStill(Path directory) {
    long begun = System.currentTimeMillis();
    Deadline.in(SOON)
        .await(
            () ->
                System.currentTimeMillis() - Math.max(begun, lastWrite(directory))
                    >= STILL.toMillis(),
            () -> "no more writes to " + directory);
  }

  private static long lastWrite(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      // A page that is removed meanwhile counts as never written.
      return files.mapToLong(file -> file.toFile().lastModified()).max().orElse(0);
    } catch (IOException | UncheckedIOException e) {
      return System.currentTimeMillis();
    }
  }

  private static void awaitSaid(MailboxServer server, String line, long times) {
    Deadline.in(SOON).await(() -> said(server, line) >= times, () -> times + " times " + line);
  }

  private static long said(MailboxServer server, String line) {
    return server.outputLines().stream().filter(said -> said.contains(line)).count();
  }

  /** An outage has two lines, or four if room is free for a moment; the failure has its cause. */
  private static void assertLogged(MailboxServer server, int outages) {
    assertEquals(1, said(server, "The broker cannot write its files"));
    assertTrue(said(server, BEGINNING) <= 1 + 2 * outages, () -> outages + " outages");
    assertTrue(said(server, END) <= 1 + 2 * outages, () -> outages + " outages");
    assertEquals(0, said(server, "\tat "), "lines of stack traces");
  }

  /**
   * Each folder that has pages is named on disk. The name of one is taken from it, as by an earlier
   * version that did not sync it.
   */
  private static void unnameAPageFolder(MailboxServer server, Kind kind) throws IOException {
    List<Path> names = new ArrayList<>();
    try (Stream<Path> files = Files.walk(server.data().resolve("activemq/paging"))) {
      for (Path page : files.filter(DiskIT::isPage).toList()) {
        names.add(page.resolveSibling("address.txt"));
      }
    }
    assertTrue(!kind.paging || !names.isEmpty(), "nothing is paged");
    for (Path name : names) {
      assertTrue(Files.size(name) > 0, name + " is empty");
    }
    if (!names.isEmpty()) {
      Files.write(names.get(0), new byte[0]);
    }
  }

  private static boolean isPage(Path file) {
    return file.toString().endsWith(".page") && file.toFile().length() > 0;
  }
}
