package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

/** What is measured in milliseconds, on a machine that does nothing else meanwhile. */
@ContractTest
@Isolated
class TimingIT {
  private static final int SAMPLES = Integer.getInteger("timing.samples", 10);
  private static final Duration WAITING = Duration.ofMillis(100);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final long LEASE_MILLIS = 250;
  private static final long DRIFT_MILLIS = 50;

  private final MailboxServer server;
  private final MailboxClient client;
  private final String topic = TestTopics.fresh("timing");

  TimingIT(MailboxServer server, MailboxClient client) {
    this.server = server;
    this.client = client;
  }

  /**
   * Leases in a row. A noisy machine may delay some answers, which makes one lease look long and
   * the next one short, but not half of them.
   */
  @Test
  void leasesEndOnTime(TestReporter reporter) throws IOException {
    client.putTopic(topic, Fields.of("max_attempts", 100)).expect(201);
    client.send(topic, "key", new byte[1]).expect(200);
    Fields lease =
        Fields.of("topic", topic).with("wait_ms", 10_000).with("visibility_ms", LEASE_MILLIS);
    client.recv(lease).message();
    List<Long> lateMillis = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      long before = System.nanoTime();
      client.recv(lease).message();
      lateMillis.add(Duration.ofNanos(System.nanoTime() - before).toMillis() - LEASE_MILLIS);
    }
    Collections.sort(lateMillis);
    reporter.publishEntry("leases of 250 ms ended late by (ms)", lateMillis.toString());
    assertTrue(lateMillis.get(SAMPLES / 2 - 1) >= -DRIFT_MILLIS, () -> "too early: " + lateMillis);
    assertTrue(lateMillis.get(SAMPLES / 2) <= DRIFT_MILLIS, () -> "too late: " + lateMillis);
  }

  @Test
  void aWaitingReceiverIsAnsweredWithinFiftyMillisecondsOfTheSend(TestReporter reporter)
      throws IOException {
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      millis.add(latency("key" + i));
    }
    Collections.sort(millis);
    double median = millis.get(SAMPLES / 2);
    reporter.publishEntry("long poll, ms from the call of SEND", "median " + median + " " + millis);
    assertTrue(median < 50, () -> "median of " + millis);
  }

  private double latency(String key) throws IOException {
    Fields waiting =
        Fields.of("topic", topic).with("wait_ms", 30_000).with("visibility_ms", 60_000);
    try (RawConnection waiter = server.target().connect()) {
      waiter.send(server.target().post("/v1/recv", waiting));
      assertTrue(waiter.isSilentFor(WAITING), "answered before the send");
      long before = System.nanoTime();
      client.send(topic, key, new byte[100]).expect(200);
      Response response = waiter.receive(SOON);
      double millis = (System.nanoTime() - before) / 1e6;
      assertTrue(response.body().contains(key), response::body);
      return millis;
    }
  }
}
