package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.drill.ClusterLoad;
import org.svcmailbox.it.server.Layout;
import org.svcmailbox.it.server.MailboxServer;

/**
 * A node in WildFly and one in Open Liberty serve each other's groups: while one leaves under load
 * and comes back, and when it is killed.
 */
@Order(1)
@Tag("nightly")
@ResourceLock(TestCluster.ONE)
class LibertyNodeIT {
  private static final String PROBES = "probes";
  private static final int GROUPS = 4;
  private static final List<String> BOTH = List.of("liberty", "wildfly");
  private static final Duration LOAD = Duration.ofSeconds(5);

  private final TestCluster cluster = new TestCluster("mixed", GROUPS);

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void nodesOfBothServersAreOneCluster(TestReporter reporter) throws Exception {
    cluster.begin(
        "wildfly",
        alone -> {
          alone.putTopic(PROBES, Fields.of("ready_shards", 4 * GROUPS)).expect(201);
          ClusterLoad.makeTopics(alone);
        });
    MailboxServer liberty = cluster.start(Layout.LIBERTY, "liberty");
    cluster.awaitShares(BOTH);
    MailboxClient a = cluster.client("wildfly");
    MailboxClient b = cluster.client("liberty");

    ClusterLoad load = new ClusterLoad(List.of(a, b));
    try {
      try (SendProbe probe = SendProbe.start(a, PROBES, GROUPS)) {
        assertEquals(0, liberty.terminate(), "exit code of a node that leaves");
        cluster.awaitHolders(Map.of("wildfly", GROUPS));
        liberty.restart();
        cluster.awaitShares(BOTH);
        probe.await(50);
        assertEquals(Map.of(), probe.refusals());
      }
      load.start(LOAD);
      load.crash(liberty::kill9);
      cluster.awaitHolders(Map.of("wildfly", GROUPS));
      load.work(LOAD);
      load.assertNothingLostOrDoubled(a);
      reporter.publishEntry("calls of the load", Integer.toString(load.calls()));
    } finally {
      load.stop();
    }
    liberty.restart();
    cluster.awaitShares(BOTH);
    try (SendProbe probe = SendProbe.start(b, PROBES, GROUPS)) {
      assertEquals(0, cluster.server("wildfly").terminate(), "exit code of the other one");
      cluster.awaitHolders(Map.of("liberty", GROUPS));
      probe.await(50);
      assertEquals(Map.of(), probe.refusals());
    }
  }
}
