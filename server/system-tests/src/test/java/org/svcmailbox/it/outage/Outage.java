package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * A part of the service is away, under traffic: how long it takes to notice, and what happens then
 * for as many seconds as the system property {@code outage.seconds} says.
 */
final class Outage {
  /** Whether {@code /readyz?for=reads} still answers 200. */
  static final int FOR_WRITES = 200;

  static final int FOR_ALL = 503;

  /** From when it was noticed; more than a few looks at a part, which come once a second. */
  static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("outage.seconds", 6));

  /** PostgreSQL's driver waits for ten seconds, twice at worst: for an answer, and to connect. */
  private static final Duration TO_NOTICE = Duration.ofSeconds(22);

  /** More SENDs and ACKs than these show that both go on. */
  static final int FEW = 20;

  private static final Duration TO_RECOVER = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** More than an answer takes that waits for no part, on a machine that does not stall. */
  private static final Duration AT_ONCE = Duration.ofSeconds(1);

  /** There are three in this time, when the machine is not busy. */
  private static final Duration FOR_A_PROBE = Duration.ofMillis(300);

  private final MailboxClient client;
  private final TestReporter reporter;
  private final Traffic traffic;
  private Duration slowest = Duration.ZERO;
  private Duration noticed = Duration.ZERO;
  private Duration slowestBefore = Duration.ZERO;
  private Duration stall = Duration.ZERO;
  private String down = "";
  private int sentMeanwhile;
  private int acknowledgedMeanwhile;
  private Duration lasted = Duration.ZERO;
  private long probes;
  private String badProbes = "";

  Outage(MailboxClient client, TestReporter reporter) {
    this.client = client;
    this.reporter = reporter;
    this.traffic = new Traffic(client);
  }

  /** Makes a backlog. */
  void prepare(int messages) throws IOException {
    for (int i = 0; i < messages; i++) {
      stall = longer(stall, traffic.send());
    }
    assertEquals(messages, traffic.sent());
    stall = longer(stall, traffic.receive());
  }

  /** A look at the service while the part is away. */
  @FunctionalInterface
  interface Look {
    void take() throws IOException;
  }

  /**
   * Goes through it: traffic all the while, and readiness before, within and after.
   *
   * @param meanwhile taken once, at the end of it
   */
  void last(Runnable begin, Runnable end, int readyForReads, Look meanwhile) throws IOException {
    client.get("/readyz").expect(200);
    traffic.renew();
    long begun = System.nanoTime();
    try (Probes alive = new Probes(client)) {
      begin.run();
      try {
        awaitNotice();
        goOn(readyForReads);
        meanwhile.take();
      } finally {
        end.run();
      }
      recover();
      probes = alive.alive();
      badProbes = alive.others();
      stall = longer(stall, alive.slowest());
      lasted = Duration.ofNanos(System.nanoTime() - begun);
    }
  }

  private void awaitNotice() throws IOException {
    long begun = System.nanoTime();
    Deadline deadline = Deadline.in(TO_NOTICE);
    while (client.get("/readyz").status() == 200) {
      assertTrue(!deadline.isOver(), "readiness did not go down");
      slowestBefore = longer(slowestBefore, longer(traffic.send(), traffic.receive()));
      // At full speed the backlog would be gone before readiness looks again.
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    noticed = Duration.ofNanos(System.nanoTime() - begun);
  }

  private void goOn(int readyForReads) throws IOException {
    Deadline over = Deadline.in(LASTS);
    Deadline late = Deadline.in(LASTS.plus(TO_RECOVER));
    int before = traffic.acknowledged();
    int sent = traffic.sent();
    MailboxAnswer report = client.get("/readyz").expect(503);
    while (!over.isOver()
        || (readyForReads == FOR_WRITES && !late.isOver() && areFew(before, sent))) {
      client.get("/readyz").expect(503);
      client.get("/readyz?for=reads").expect(readyForReads);
      slowest = longer(slowest, longer(traffic.send(), traffic.receive()));
      LockSupport.parkNanos(PAUSE.toNanos());
      report = client.get("/readyz").expect(503);
    }
    down = down(report.json());
    acknowledgedMeanwhile = traffic.acknowledged() - before;
    sentMeanwhile = traffic.sent() - sent;
  }

  /** A slow machine gets little done in the time. */
  private boolean areFew(int acknowledgedBefore, int sentBefore) {
    return traffic.acknowledged() - acknowledgedBefore <= FEW || traffic.sent() - sentBefore <= FEW;
  }

  private void recover() throws IOException {
    long begun = System.nanoTime();
    Deadline.in(TO_RECOVER)
        .await(() -> client.get("/readyz").status() == 200, () -> "readiness did not come back");
    Duration ready = Duration.ofNanos(System.nanoTime() - begun);
    int sent = traffic.sent();
    Deadline.in(TO_RECOVER)
        .await(
            () -> {
              traffic.send();
              return traffic.sent() > sent;
            },
            () -> "no SEND is taken");
    Duration taken = Duration.ofNanos(System.nanoTime() - begun);
    reporter.publishEntry(
        "outage", this + ", ready again after " + ready + ", SEND taken after " + taken);
  }

  private static String down(JsonNode report) {
    return StreamSupport.stream(report.path("checks").spliterator(), false)
        .filter(check -> check.path("status").asText().equals("DOWN"))
        .map(check -> check.path("name").asText())
        .sorted()
        .collect(Collectors.joining(","));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** The liveness probes were all answered, and all the same. */
  void assertProbed() {
    assertEquals("", badProbes);
    assertTrue(probes > lasted.dividedBy(FOR_A_PROBE), () -> probes + " probes in " + lasted);
  }

  /**
   * No answer waited for the part that was away. One may take longer for as long as the machine
   * stalled: as an answer before, or as one to a probe meanwhile.
   */
  void assertNoneWaited() {
    assertAtOnce(slowest);
  }

  /** The same from the beginning until readiness went down. */
  void assertNoneWaitedBefore() {
    assertAtOnce(slowestBefore);
  }

  private void assertAtOnce(Duration longest) {
    Duration most = AT_ONCE.plus(stall);
    assertTrue(longest.compareTo(most) < 0, () -> this + ", at most " + most);
  }

  /** The parts that {@code /readyz} said were down at the end of it. */
  String down() {
    return down;
  }

  /** SENDs that were answered with a message's id while readiness was down. */
  int sentMeanwhile() {
    return sentMeanwhile;
  }

  /** ACKs that were answered while readiness was down. */
  int acknowledgedMeanwhile() {
    return acknowledgedMeanwhile;
  }

  Traffic traffic() {
    return traffic;
  }

  @Override
  public String toString() {
    return String.format(
        "noticed after %s, slowest answer %s before that and %s after, %d SENDs and %d ACKs meanwhile",
        noticed, slowestBefore, slowest, sentMeanwhile, acknowledgedMeanwhile);
  }
}
