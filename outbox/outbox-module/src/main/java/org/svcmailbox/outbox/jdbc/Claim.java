package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.publish.Lane;
import org.svcmailbox.outbox.publish.Passes;
import org.svcmailbox.outbox.publish.Position;

/**
 * Claims lanes and reads their next events. Claims of half of the lanes take one half each, in
 * turn.
 */
final class Claim {
  static final int MAX_EVENTS = 1000;
  static final int MAX_CHARACTERS = 8 << 20;

  /**
   * Rows that the driver holds at once, each with half a MiB of payload at most. While payloads are
   * small it is given more, because each fetch is a round trip.
   */
  static final int FETCH_SIZE = 50;

  private static final int MAX_FETCH_SIZE = 200;
  private static final int SMALL = 8 << 10;

  private static final String LANES =
      "SELECT lane FROM outbox_lanes ORDER BY MOD(lane + ?, 16) LIMIT ? FOR UPDATE SKIP LOCKED";

  /** In place of a digest of each row. */
  private static final String IN_ALL_LANES = "? <> ''";

  /** Events after a place that wait for a publisher and for no operator. */
  private static final String OPEN =
      " WHERE e.published_at IS NULL AND "
          + EventRow.AFTER
          + " AND NOT EXISTS (SELECT 1 FROM outbox_holds p WHERE p.aggregate_type = e.aggregate_type"
          + " AND p.aggregate_id = e.aggregate_id AND (p.holds_aggregate OR p.event_id = e.id))";

  private static final String EVENTS =
      "SELECT "
          + EventRow.COLUMNS
          + ", h.traceparent, h.tracestate FROM outbox_events e"
          + " LEFT JOIN outbox_headers h ON h.event_id = e.id"
          + OPEN
          + " AND %s ORDER BY "
          + EventRow.ORDER
          + " LIMIT "
          + MAX_EVENTS;

  /** The last event that is not published, and whether any waits for a publisher alone. */
  private static final String LAST =
      "SELECT e.id, e.occurred_at, COALESCE(e.seq, 0) AS seq, (SELECT e.id FROM outbox_events e"
          + OPEN
          + " LIMIT 1) AS waiting FROM outbox_events e WHERE e.published_at IS NULL"
          + " ORDER BY e.occurred_at DESC, COALESCE(e.seq, 0) DESC, e.id DESC LIMIT 1";

  private final Connection connection;
  private final Database database;
  private final Passes passes;
  private final int number;
  private final int mostLanes;
  private final boolean looksFirst;
  private @Nullable Position last;

  /**
   * @param number how many claims this publisher made before
   * @param mostLanes how many lanes to claim, if they are free
   * @param looksFirst whether to claim nothing where there is nothing: each claim is a write
   */
  Claim(
      Connection connection,
      Database database,
      Passes passes,
      int number,
      int mostLanes,
      boolean looksFirst) {
    this.connection = connection;
    this.database = database;
    this.passes = passes;
    this.number = number;
    this.mostLanes = mostLanes;
    this.looksFirst = looksFirst;
  }

  /**
   * Claims and reads.
   *
   * @param traces takes the traces of the events
   * @param accepted takes the topics that accepted some of them already
   */
  List<OutboxEvent> read(Map<MessageId, TraceContext> traces, Map<MessageId, Set<String>> accepted)
      throws SQLException {
    if (looksFirst && !hasEvents()) {
      return List.of();
    }
    BitSet lanes = lanes();
    List<OutboxEvent> events = lanes.isEmpty() ? List.of() : events(lanes, traces);
    readAccepted(connection, database, events, accepted);
    return events;
  }

  private static BitSet allLanes() {
    BitSet all = new BitSet(Lane.COUNT);
    all.set(0, Lane.COUNT);
    return all;
  }

  /**
   * Looks without locks, as one that claims all lanes. Where all events wait for an operator, the
   * next look begins after them.
   */
  private boolean hasEvents() throws SQLException {
    Position after = passes.begin(allLanes());
    try (PreparedStatement statement = connection.prepareStatement(LAST)) {
      EventRow.setPosition(database, statement, 1, after);
      try (ResultSet row = statement.executeQuery()) {
        if (row.next()) {
          if (row.getString("waiting") != null) {
            return true;
          }
          last = EventRow.position(database, row);
        }
      }
    }
    passes.read(allLanes(), last, /* isEnd= */ true);
    return false;
  }

  private BitSet lanes() throws SQLException {
    if (!database.hasRowLocks()) {
      return allLanes();
    }
    BitSet lanes = new BitSet(Lane.COUNT);
    database.beginClaim(connection);
    try (PreparedStatement statement = connection.prepareStatement(LANES)) {
      statement.setInt(1, number % 2 * Lane.COUNT / 2);
      statement.setInt(2, mostLanes);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          lanes.set(rows.getInt(1));
        }
      }
    }
    return lanes;
  }

  private List<OutboxEvent> events(BitSet lanes, Map<MessageId, TraceContext> traces)
      throws SQLException {
    Position after = passes.begin(lanes);
    List<OutboxEvent> events = new ArrayList<>();
    boolean isEnd;
    String inLanes = lanes.cardinality() == Lane.COUNT ? IN_ALL_LANES : database.inLanes();
    try (PreparedStatement statement = connection.prepareStatement(EVENTS.formatted(inLanes))) {
      statement.setFetchSize(FETCH_SIZE);
      EventRow.setPosition(database, statement, 1, after);
      statement.setString(4, digits(lanes));
      try (ResultSet rows = statement.executeQuery()) {
        isEnd = read(rows, events, traces);
      }
    }
    passes.read(lanes, last, isEnd);
    return events;
  }

  /** Returns whether the outbox has no more events. */
  private boolean read(
      ResultSet rows, List<OutboxEvent> events, Map<MessageId, TraceContext> traces)
      throws SQLException {
    long characters = 0;
    while (characters < MAX_CHARACTERS && rows.next()) {
      OutboxEvent event = EventRow.read(database, rows);
      last = EventRow.position(database, rows);
      characters += event.payload().json().length();
      events.add(event);
      if (events.size() == FETCH_SIZE && characters <= FETCH_SIZE * SMALL) {
        rows.setFetchSize(MAX_FETCH_SIZE);
      }
      TraceContext trace = EventRow.trace(rows);
      if (trace != null) {
        traces.put(event.messageId(), trace);
      }
    }
    return characters < MAX_CHARACTERS && events.size() < MAX_EVENTS;
  }

  private static String digits(BitSet lanes) {
    return lanes.stream().mapToObj(Integer::toHexString).collect(Collectors.joining());
  }

  /** An event that was never tried has been accepted nowhere. */
  static void readAccepted(
      Connection connection,
      Database database,
      List<OutboxEvent> events,
      Map<MessageId, Set<String>> accepted)
      throws SQLException {
    List<OutboxEvent> tried = events.stream().filter(event -> event.publishAttempts() > 0).toList();
    if (tried.isEmpty()) {
      return;
    }
    String sql =
        "SELECT event_id, topic FROM outbox_accepted WHERE event_id IN ("
            + String.join(", ", Collections.nCopies(tried.size(), "?"))
            + ")";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < tried.size(); i++) {
        database.setId(statement, i + 1, tried.get(i).id());
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          accepted
              .computeIfAbsent(MessageId.parse(rows.getString(1)), id -> new HashSet<>())
              .add(rows.getString(2));
        }
      }
    }
  }
}
