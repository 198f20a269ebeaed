package org.svcmailbox.ejb.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.cluster.Beat;
import org.svcmailbox.core.cluster.ClusterLook;
import org.svcmailbox.core.cluster.ClusterStore;
import org.svcmailbox.core.cluster.ClusterStoreContract;
import org.svcmailbox.core.cluster.GroupMap;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.ReplacedException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.store.TestDatabase;

/** Each rival of the contract has a connection of its own. */
class PostgresClusterStoreTest implements ClusterStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  private final SqlClusterStore store = new SqlClusterStore(DATABASE.transactions());

  @BeforeEach
  void begin() {
    assertEquals(0, store.groups());
    store.begin(GROUPS);
  }

  @Override
  public ClusterStore store() {
    return store;
  }

  @Test
  void aServerThatIsAloneEndsTheCluster() throws ReplacedException {
    assertEquals(GROUPS, store.groups());
    assertThrows(UnavailableException.class, () -> store.begin(GROUPS + 1), "it has begun");
    Beat beat = Beat.first(A, URI.create("http://a:8080"), 1);
    assertTrue(store.begin(beat, Optional.empty(), NOW).isPresent());
    assertTrue(store.publish(1, A, 7));
    store.end();
    assertEquals(0, store.groups());
    store.begin(GROUPS + 1);
    assertTrue(store.begin(beat, Optional.empty(), NOW).isPresent());
    ClusterLook look = store.beat(beat);
    assertEquals(GroupMap.empty(GROUPS + 1), look.map());
    assertEquals(Map.of(), look.holders());
  }

  @Test
  void aServerThatFindsNoClusterWritesNothing() {
    assertEquals(4, DATABASE.statements(store::end), "it reads, and forgets the cluster");
    assertEquals(1, DATABASE.statements(store::end), "it reads");
  }

  @Test
  void aNodeKeepsItsNumberAndNoOtherNodeGetsIt() {
    assertEquals(0, store.number(A));
    int a = begun(A, 1);
    int b = begun(B, 2);
    assertTrue(a > 0 && b > 0 && a != b, () -> a + " and " + b);
    assertEquals(a, begun(A, 3), "another life");
    store.end();
    store.begin(GROUPS);
    int later = begun(A, 4);
    assertTrue(later > a && later > b, "a later cluster has other nodes: " + later);
  }

  private int begun(NodeId node, long life) {
    Beat beat = Beat.first(node, URI.create("http://a:8080"), life);
    assertTrue(store.begin(beat, store.find(node), NOW).isPresent());
    return store.number(node);
  }
}
