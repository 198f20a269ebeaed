package org.svcmailbox.ejb.deadletter;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.Fingerprint;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterGroup;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.deadletter.LetterTerms;
import org.svcmailbox.core.delivery.DeadLetterReason;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.ejb.store.InsertRows;
import org.svcmailbox.ejb.store.Transactions;

/**
 * The index in the database: one table in the order of death, and beside it, for everything but
 * time, the database's own full-text search. One writer at a time.
 */
public final class SqlLetterIndex implements LetterIndex {
  private static final int AT_ONCE = 200;

  private static final String DUE =
      " from dead_letter d where d.topic = ? and d.place > ? and d.place < ?"
          + " and d.reprocessed < ? and d.envelope is not null and d.reason <> 'rejected'";

  private final Transactions transactions;
  private final SearchDialect dialect;
  private final InsertRows insertTerms;

  /** The index in the database of {@code transactions}. */
  public SqlLetterIndex(Transactions transactions) {
    this.transactions = transactions;
    this.dialect = SearchDialect.of(transactions.database());
    this.insertTerms = new InsertRows("dead_letter_search", dialect.key(), "words");
  }

  @Override
  public synchronized void add(Collection<DeadLetter> letters) {
    Map<LetterPosition, DeadLetter> byPlace = new LinkedHashMap<>();
    letters.forEach(letter -> byPlace.putIfAbsent(letter.position(), letter));
    for (List<DeadLetter> some : parts(List.copyOf(byPlace.values()))) {
      transactions.writeSql(connection -> add(connection, some));
    }
  }

  private void add(Connection connection, List<DeadLetter> letters) throws SQLException {
    Set<Long> taken = taken(connection, letters);
    List<DeadLetter> fresh =
        letters.stream().filter(letter -> !taken.contains(letter.position().bits())).toList();
    LetterRow.INSERT.run(connection, fresh.stream().map(LetterRow::of).toList());
    insertTerms.run(
        connection,
        fresh.stream()
            .map(
                letter ->
                    new Object[] {
                      letter.position().bits(), String.join(" ", LetterTerms.of(letter))
                    })
            .toList());
  }

  private static Set<Long> taken(Connection connection, List<DeadLetter> letters)
      throws SQLException {
    String sql = "select place from dead_letter where place in (" + marks(letters.size()) + ")";
    Set<Long> taken = new HashSet<>();
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      for (int i = 0; i < letters.size(); i++) {
        select.setLong(i + 1, letters.get(i).position().bits());
      }
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          taken.add(rows.getLong(1));
        }
      }
    }
    return taken;
  }

  @Override
  public synchronized int remove(Collection<LetterPosition> positions) {
    return parts(List.copyOf(positions)).stream().mapToInt(this::removeAtOnce).sum();
  }

  private int removeAtOnce(List<LetterPosition> positions) {
    int[] removed = new int[1];
    transactions.writeSql(
        connection -> {
          delete(connection, "dead_letter_search", dialect.key(), positions);
          removed[0] = delete(connection, "dead_letter", "place", positions);
        });
    return removed[0];
  }

  private static int delete(
      Connection connection, String table, String key, List<LetterPosition> positions)
      throws SQLException {
    String sql = "delete from " + table + " where " + key + " in (" + marks(positions.size()) + ")";
    try (PreparedStatement delete = connection.prepareStatement(sql)) {
      for (int i = 0; i < positions.size(); i++) {
        delete.setLong(i + 1, positions.get(i).bits());
      }
      return delete.executeUpdate();
    }
  }

  @Override
  public int removeSome(TopicName topic, int most) {
    return remove(
        rows("select place from dead_letter where topic = ? limit ?", topic.value(), most).stream()
            .map(row -> LetterRow.position(row[0]))
            .toList());
  }

  @Override
  public List<DeadLetter> page(
      TopicName topic, LetterFilter filter, LetterPosition before, int limit) {
    return letters(meant(topic, filter, LetterPosition.FIRST, before), "desc", limit);
  }

  @Override
  public List<DeadLetter> ahead(
      TopicName topic, LetterFilter filter, LetterPosition after, LetterPosition end, int limit) {
    return after.equals(LetterPosition.LAST)
        ? List.of()
        : letters(meant(topic, filter, after.next(), end), "asc", limit);
  }

  private static List<DeadLetter> letters(Meant meant, String order, int limit) {
    String end = " order by " + meant.position() + " " + order + " limit ?";
    return meant.rows("select " + LetterRow.SELECTED, end, limit).stream()
        .map(LetterRow::letter)
        .toList();
  }

  @Override
  public List<DeadLetter> due(
      TopicName topic, int times, LetterPosition after, LetterPosition end, int limit) {
    String sql = "select " + LetterRow.SELECTED + DUE + " order by d.place limit ?";
    return rows(sql, topic.value(), after.bits(), end.bits(), times, limit).stream()
        .map(LetterRow::letter)
        .toList();
  }

  @Override
  public Map<DeadLetterReason, Long> countDue(
      TopicName topic, int times, LetterPosition after, LetterPosition end) {
    return counts(
        rows(
            "select d.reason, count(*)" + DUE + " group by d.reason",
            topic.value(),
            after.bits(),
            end.bits(),
            times));
  }

  private static Map<DeadLetterReason, Long> counts(List<@Nullable Object[]> rows) {
    Map<DeadLetterReason, Long> counts = new EnumMap<>(DeadLetterReason.class);
    rows.forEach(row -> counts.put(LetterRow.reason(row[0]), LetterRow.number(row[1])));
    return counts;
  }

  @Override
  public List<DeadLetter> at(TopicName topic, Collection<LetterPosition> positions) {
    return parts(positions.stream().sorted().toList()).stream()
        .flatMap(some -> atOnce(topic, some).stream())
        .toList();
  }

  private List<DeadLetter> atOnce(TopicName topic, List<LetterPosition> positions) {
    String sql =
        "select "
            + LetterRow.SELECTED
            + " from dead_letter d where d.place in ("
            + marks(positions.size())
            + ") and d.topic = ? order by d.place";
    Object[] values =
        Stream.concat(positions.stream().map(LetterPosition::bits), Stream.of(topic.value()))
            .toArray();
    return rows(sql, values).stream().map(LetterRow::letter).toList();
  }

  /**
   * The letters that a filter means: by the search when there is something to search for.
   *
   * @param position the column that they are in order by
   */
  private record Meant(
      Transactions transactions, String from, String position, List<Object> values) {
    List<@Nullable Object[]> rows(String select, String end, Object... more) {
      Object[] all = Stream.concat(values.stream(), Arrays.stream(more)).toArray();
      return SqlLetterIndex.rows(transactions, select + from + end, all);
    }
  }

  /** Those of a filter from one position on and in front of another. */
  private Meant meant(
      TopicName topic, LetterFilter filter, LetterPosition from, LetterPosition to) {
    LetterPosition first = Collections.max(List.of(from, filter.from()));
    LetterPosition end = Collections.min(List.of(to, filter.to()));
    String position = filter.isNarrow() ? "dead_letter_search." + dialect.key() : "d.place";
    String source =
        filter.isNarrow()
            ? " from dead_letter_search join dead_letter d on d.place = "
                + position
                + " where "
                + dialect.match()
            : " from dead_letter d where d.topic = ?";
    Object wanted =
        filter.isNarrow() ? dialect.query(LetterTerms.of(topic.value(), filter)) : topic.value();
    return new Meant(
        transactions,
        source + " and " + position + " >= ? and " + position + " < ?",
        position,
        List.of(wanted, first.bits(), end.bits()));
  }

  @Override
  public Optional<DeadLetter> find(TopicName topic, MsgId msgId) {
    String sql =
        "select "
            + LetterRow.SELECTED
            + " from dead_letter d where d.msg_id = ? and d.topic = ?"
            + " order by d.place desc limit 1";
    return rows(sql, msgId.bytes(), topic.value()).stream().map(LetterRow::letter).findFirst();
  }

  @Override
  public List<LetterGroup> groups(TopicName topic, LetterFilter filter, int limit) {
    List<@Nullable Object[]> groups =
        meant(topic, filter, LetterPosition.FIRST, LetterPosition.LAST)
            .rows(
                "select d.fingerprint, d.reason, count(*), min(d.place), max(d.place)",
                " group by d.reason, d.fingerprint order by 3 desc, 5 desc limit ?",
                limit);
    Map<LetterPosition, String> samples = errors(groups.stream().map(row -> row[4]).toArray());
    return groups.stream().map(row -> group(row, samples)).toList();
  }

  private static LetterGroup group(@Nullable Object[] row, Map<LetterPosition, String> samples) {
    LetterPosition last = LetterRow.position(row[4]);
    return new LetterGroup(
        new Fingerprint(LetterRow.number(row[0])),
        LetterRow.reason(row[1]),
        LetterRow.number(row[2]),
        LetterRow.position(row[3]),
        last,
        samples.getOrDefault(last, ""));
  }

  private Map<LetterPosition, String> errors(Object... positions) {
    if (positions.length == 0) {
      return Map.of();
    }
    String sql =
        "select place, last_error from dead_letter where place in ("
            + marks(positions.length)
            + ")";
    return rows(sql, positions).stream()
        .collect(
            Collectors.toMap(row -> LetterRow.position(row[0]), row -> LetterRow.error(row[1])));
  }

  @Override
  public Map<DeadLetterReason, Long> count(
      TopicName topic, LetterFilter filter, LetterPosition end) {
    return counts(
        meant(topic, filter, LetterPosition.FIRST, end)
            .rows("select d.reason, count(*)", " group by d.reason"));
  }

  @Override
  public LetterPosition newest() {
    return rows("select place from dead_letter order by place desc limit 1").stream()
        .map(row -> LetterRow.position(row[0]))
        .findFirst()
        .orElse(LetterPosition.FIRST);
  }

  @Override
  public Map<TopicName, Map<Integer, Long>> segments() {
    Map<TopicName, Map<Integer, Long>> counts = new HashMap<>();
    rows("select topic, segment, count(*) from dead_letter group by topic, segment")
        .forEach(
            row ->
                counts
                    .computeIfAbsent(new TopicName(LetterRow.text(row[0])), none -> new HashMap<>())
                    .put(LetterRow.integer(row[1]), LetterRow.number(row[2])));
    return counts;
  }

  @Override
  public Set<LetterPosition> positions(TopicName topic, int segment) {
    String sql = "select place from dead_letter where topic = ? and segment = ?";
    return rows(sql, topic.value(), segment).stream()
        .map(row -> LetterRow.position(row[0]))
        .collect(Collectors.toSet());
  }

  private List<@Nullable Object[]> rows(String sql, Object... values) {
    return rows(transactions, sql, values);
  }

  private static List<@Nullable Object[]> rows(
      Transactions transactions, String sql, Object... values) {
    return transactions.readSql(
        connection -> {
          try (PreparedStatement select = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
              select.setObject(i + 1, values[i]);
            }
            return rows(select);
          }
        });
  }

  private static List<@Nullable Object[]> rows(PreparedStatement select) throws SQLException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    try (ResultSet found = select.executeQuery()) {
      int columns = found.getMetaData().getColumnCount();
      while (found.next()) {
        @Nullable Object[] row = new @Nullable Object[columns];
        for (int i = 0; i < columns; i++) {
          row[i] = found.getObject(i + 1);
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static String marks(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }

  private static <T> List<List<T>> parts(List<T> all) {
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += AT_ONCE) {
      parts.add(all.subList(from, Math.min(all.size(), from + AT_ONCE)));
    }
    return parts;
  }
}
