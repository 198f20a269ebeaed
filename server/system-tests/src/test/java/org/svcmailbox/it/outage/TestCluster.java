package org.svcmailbox.it.outage;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.BrokerPair;
import org.svcmailbox.it.server.Layout;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.process.PostgresServer;

/** Servers that share PostgreSQL and a pair of brokers. */
final class TestCluster implements AutoCloseable {
  /** The machine's share for one cluster at a time. */
  static final String ONE = "a cluster of servers";

  private static final Duration START = Duration.ofMinutes(5);

  private final String name;
  private final int groups;
  private final PostgresServer database = PostgresServer.start();
  private final BrokerPair pair;
  private final Map<String, MailboxServer> servers = new TreeMap<>();
  private String operator = "";

  /** Prepares a server that is alone. */
  interface Beginning {
    void with(MailboxClient alone) throws IOException;
  }

  /**
   * @param name begins the names of its directories
   */
  TestCluster(String name, int groups) {
    this.name = name;
    this.groups = groups;
    this.pair = BrokerPair.layOut(name + "-pair");
  }

  /** Has the first node, which is alone, make topics, and makes it a node. */
  void begin(String node, Beginning beginning) throws IOException {
    pair.start();
    MailboxServer first = prepared(node);
    first.restart();
    operator = requireNonNull(first.target().token().get());
    beginning.with(client(node));
    assertEquals(0, first.terminate(), "exit code of the server that was alone");
    makeNode(first, node);
    first.restart();
  }

  /** Starts another node. */
  MailboxServer start(String node) {
    return start(Layout.chosen(), node);
  }

  /** Starts another node in an application server of one kind. */
  MailboxServer start(Layout layout, String node) {
    MailboxServer server = prepared(layout, node);
    makeNode(server, node);
    server.restart();
    return server;
  }

  /** Launches another process under the name of a node. */
  MailboxServer launchSecond(String node) {
    MailboxServer server = prepared(node + "-again");
    makeNode(server, node);
    server.launch();
    return server;
  }

  private MailboxServer prepared(String node) {
    return prepared(Layout.chosen(), node);
  }

  private MailboxServer prepared(Layout layout, String node) {
    Map<String, String> settings = new HashMap<>(database.settings());
    settings.putAll(pair.settings());
    settings.put("MAILBOX_TOPICS_AUTO_CREATE", "false");
    settings.put("MAILBOX_CLUSTER_GROUPS", Integer.toString(groups));
    if (layout == Layout.LIBERTY) {
      settings.put("MAILBOX_LOCAL_BROKER", "false");
    }
    MailboxServer server = MailboxServer.prepare(layout, name + "-" + node, settings);
    servers.put(node, server);
    return server;
  }

  private static void makeNode(MailboxServer server, String node) {
    server.set("MAILBOX_CLUSTER_NODE", node);
    server.set("MAILBOX_CLUSTER_URL", server.uri().toString());
  }

  MailboxServer server(String node) {
    return requireNonNull(servers.get(node), node);
  }

  /** The operator at a node. */
  MailboxClient client(String node) {
    return new MailboxClient(new CallTarget(server(node).uri(), operator));
  }

  /** Waits until these nodes say that they serve so many groups. */
  void awaitHolders(Map<String, Integer> wanted) {
    Deadline.in(START)
        .await(() -> shares().equals(wanted), () -> shares() + " instead of " + wanted);
  }

  /** Waits until all groups are shared evenly among these nodes. */
  void awaitShares(List<String> nodes) {
    Map<String, Integer> wanted = new TreeMap<>();
    nodes.forEach(node -> wanted.put(node, groups / nodes.size()));
    awaitHolders(wanted);
  }

  private Map<String, Integer> shares() {
    Map<String, Integer> shares = new TreeMap<>();
    holders().values().forEach(node -> shares.merge(node, 1, Integer::sum));
    return shares;
  }

  /** The groups that a node serves. */
  Set<Integer> groupsOf(String node) {
    Set<Integer> served = new TreeSet<>();
    for (Map.Entry<Integer, String> one : holders().entrySet()) {
      if (one.getValue().equals(node)) {
        served.add(one.getKey());
      }
    }
    return served;
  }

  /** The node that serves each group, as the nodes told the database. */
  private Map<Integer, String> holders() {
    Map<Integer, String> holders = new TreeMap<>();
    try (Connection connection = database.source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select slot_group, holder from slot_group where holder is not null")) {
      while (rows.next()) {
        holders.put(rows.getInt(1), rows.getString(2));
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the map cannot be read", e);
    }
    return holders;
  }

  @Override
  public void close() {
    servers.values().forEach(MailboxServer::close);
    pair.close();
    database.close();
  }
}
