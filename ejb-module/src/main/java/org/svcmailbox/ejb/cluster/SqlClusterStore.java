package org.svcmailbox.ejb.cluster;

import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.svcmailbox.core.cluster.Beat;
import org.svcmailbox.core.cluster.ClusterLook;
import org.svcmailbox.core.cluster.ClusterStep;
import org.svcmailbox.core.cluster.ClusterStore;
import org.svcmailbox.core.cluster.GroupMap;
import org.svcmailbox.core.cluster.Holder;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeStanding;
import org.svcmailbox.core.cluster.ReplacedException;
import org.svcmailbox.ejb.store.Transactions;

/**
 * Keeps members and map in the tables {@code cluster_node}, {@code cluster_map} and {@code
 * slot_group}. PostgreSQL repeats the condition of an update behind a row's lock, so of several
 * updates with one condition one changes the row.
 */
public final class SqlClusterStore implements ClusterStore {
  private static final String BEATS =
      "select node, url, release, life, beat, lives, leaving, unfit, topics_seen"
          + " from cluster_node";

  private static final String MAP =
      "select m.version, m.slot_groups, g.slot_group, g.node, g.holder, g.epoch"
          + " from cluster_map m left join slot_group g on 1 = 1";

  private final Transactions transactions;

  public SqlClusterStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /** The number of groups of the cluster; 0 before its first start. */
  public int groups() {
    return transactions.readSql(
        connection -> {
          try (PreparedStatement select =
                  connection.prepareStatement("select slot_groups from cluster_map");
              ResultSet rows = select.executeQuery()) {
            return rows.next() ? rows.getInt(1) : 0;
          }
        });
  }

  /** Begins a cluster, once the logs of all groups are made. */
  public void begin(int groups) {
    transactions.writeSql(
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement(
                  "insert into cluster_map (one, version, slot_groups) values (1, 0, ?)")) {
            insert.setInt(1, groups);
            insert.executeUpdate();
          }
        });
  }

  /**
   * Ends the cluster, if there is one, because a server that is alone divides the routing slots in
   * its own way.
   */
  public void end() {
    if (groups() > 0) {
      forget();
    }
  }

  private void forget() {
    transactions.writeSql(
        connection -> {
          for (String table : List.of("cluster_map", "cluster_node", "slot_group")) {
            try (PreparedStatement delete = connection.prepareStatement("delete from " + table)) {
              delete.executeUpdate();
            }
          }
        });
  }

  @Override
  public Optional<Beat> find(NodeId node) {
    return transactions.readSql(connection -> find(connection, node));
  }

  private static Optional<Beat> find(Connection connection, NodeId node) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(BEATS + " where node = ?")) {
      select.setString(1, node.value());
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Optional.of(beat(rows)) : Optional.empty();
      }
    }
  }

  /** The number that names a node in other tables; 0 if it never joined this cluster. */
  public int number(NodeId node) {
    return transactions.readSql(
        connection -> {
          try (PreparedStatement select =
              connection.prepareStatement("select no from cluster_node where node = ?")) {
            select.setString(1, node.value());
            try (ResultSet rows = select.executeQuery()) {
              return rows.next() ? rows.getInt(1) : 0;
            }
          }
        });
  }

  private static Beat beat(ResultSet row) throws SQLException {
    return new Beat(
        new NodeId(row.getString("node")),
        URI.create(row.getString("url")),
        row.getString("release"),
        row.getLong("life"),
        row.getLong("beat"),
        row.getInt("lives"),
        new NodeStanding(
            row.getInt("leaving") != 0, row.getString("unfit"), row.getLong("topics_seen")));
  }

  @Override
  public Optional<Beat> begin(Beat first, Optional<Beat> replaced, Instant now) {
    return transactions.writeSqlAndAnswer(
        connection -> {
          boolean hasBegun =
              replaced.isPresent()
                  ? succeed(connection, first, replaced.get(), now)
                  : insert(connection, first, now);
          return hasBegun ? find(connection, first.node()) : Optional.empty();
        });
  }

  private static boolean insert(Connection connection, Beat first, Instant now)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into cluster_node"
                + " (url, release, life, beat, unfit, begun, node, lives, leaving, fit)"
                + " values (?, ?, ?, ?, ?, ?, ?, 1, 0, 0) on conflict (node) do nothing")) {
      int next = setFirst(insert, first);
      insert.setLong(next++, now.toEpochMilli());
      insert.setString(next, first.node().value());
      return insert.executeUpdate() == 1;
    }
  }

  /** Returns the index of the next parameter. */
  private static int setFirst(PreparedStatement statement, Beat first) throws SQLException {
    int next = 1;
    statement.setString(next++, first.url().toString());
    statement.setString(next++, first.release());
    statement.setLong(next++, first.life());
    statement.setLong(next++, first.number());
    statement.setString(next++, first.standing().unfit());
    return next;
  }

  /** A life counts as a restart if the one before began less than ten minutes ago. */
  private static boolean succeed(Connection connection, Beat first, Beat replaced, Instant now)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "update cluster_node"
                + " set url = ?, release = ?, life = ?, beat = ?, unfit = ?, leaving = 0, fit = 0,"
                + " topics_seen = 0,"
                + " lives = case when begun > ? then lives + 1 else 1 end, begun = ?"
                + " where node = ? and life = ? and beat = ?")) {
      int next = setFirst(update, first);
      update.setLong(next++, now.minus(ClusterStep.LIVES_COUNT).toEpochMilli());
      update.setLong(next++, now.toEpochMilli());
      update.setString(next++, first.node().value());
      update.setLong(next++, replaced.life());
      update.setLong(next, replaced.number());
      return update.executeUpdate() == 1;
    }
  }

  @Override
  public ClusterLook beat(Beat beat) throws ReplacedException {
    Optional<ClusterLook> look =
        transactions.writeSqlAndAnswer(
            connection ->
                record(connection, beat) ? Optional.of(look(connection)) : Optional.empty());
    return look.orElseThrow(() -> new ReplacedException(beat.node()));
  }

  private static boolean record(Connection connection, Beat beat) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "update cluster_node set beat = ?, lives = ?, leaving = ?, fit = ?, unfit = ?,"
                + " topics_seen = ? where node = ? and life = ?")) {
      update.setLong(1, beat.number());
      update.setInt(2, beat.lives());
      update.setInt(3, beat.isLeaving() ? 1 : 0);
      update.setInt(4, beat.isFit() ? 1 : 0);
      update.setString(5, beat.standing().unfit());
      update.setLong(6, beat.standing().topicsSeen());
      update.setString(7, beat.node().value());
      update.setLong(8, beat.life());
      return update.executeUpdate() == 1;
    }
  }

  private static ClusterLook look(Connection connection) throws SQLException {
    List<Beat> beats = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(BEATS);
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        beats.add(beat(rows));
      }
    }
    // One statement, so that version and wishes are of one moment.
    try (PreparedStatement select = connection.prepareStatement(MAP);
        ResultSet rows = select.executeQuery()) {
      return look(beats, rows);
    }
  }

  private static ClusterLook look(List<Beat> beats, ResultSet rows) throws SQLException {
    if (!rows.next()) {
      throw new SQLException("the cluster has no map");
    }
    long version = rows.getLong("version");
    int groups = rows.getInt("slot_groups");
    TreeMap<Integer, NodeId> wishes = new TreeMap<>();
    Map<Integer, Holder> holders = new HashMap<>();
    do {
      int group = rows.getInt("slot_group");
      String wish = rows.getString("node");
      if (wish != null) {
        wishes.put(group, new NodeId(wish));
      }
      String holder = rows.getString("holder");
      if (holder != null) {
        holders.put(group, new Holder(new NodeId(holder), rows.getLong("epoch")));
      }
    } while (rows.next());
    return new ClusterLook(beats, new GroupMap(version, groups, wishes), holders);
  }

  @Override
  public boolean replace(GroupMap successor) {
    return transactions.writeSqlAndAnswer(
        connection -> {
          boolean isNext = isNext(connection, successor.version());
          if (isNext) {
            wish(connection, successor.wishes());
          }
          return isNext;
        });
  }

  private static boolean isNext(Connection connection, long version) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("update cluster_map set version = ? where version = ?")) {
      update.setLong(1, version);
      update.setLong(2, version - 1);
      return update.executeUpdate() == 1;
    }
  }

  private static void wish(Connection connection, Map<Integer, NodeId> wishes) throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement(
            "insert into slot_group (slot_group, node, epoch) values (?, ?, 0)"
                + " on conflict (slot_group) do update set node = excluded.node")) {
      for (Map.Entry<Integer, NodeId> wish : wishes.entrySet()) {
        upsert.setInt(1, wish.getKey());
        upsert.setString(2, wish.getValue().value());
        upsert.addBatch();
      }
      int[] unused = upsert.executeBatch();
    }
  }

  @Override
  public boolean publish(int group, NodeId holder, long epoch) {
    return transactions.writeSqlAndAnswer(
        connection -> {
          try (PreparedStatement upsert =
              connection.prepareStatement(
                  "insert into slot_group (slot_group, holder, epoch) values (?, ?, ?)"
                      + " on conflict (slot_group) do update"
                      + " set holder = excluded.holder, epoch = excluded.epoch"
                      + " where slot_group.epoch < excluded.epoch")) {
            upsert.setInt(1, group);
            upsert.setString(2, holder.value());
            upsert.setLong(3, epoch);
            return upsert.executeUpdate() == 1;
          }
        });
  }
}
