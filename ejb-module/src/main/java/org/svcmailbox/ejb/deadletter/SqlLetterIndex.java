package org.svcmailbox.ejb.deadletter;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterGroup;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.ejb.store.Transactions;

/** The index in the database: a table ordered by position, and its full-text search. */
public final class SqlLetterIndex implements LetterIndex {
  private static final String SELECT = "select " + LetterRow.SELECTED;
  private static final String DUE =
      " from dead_letter d where d.topic = ? and d.place > ? and d.place < ?"
          + " and d.reprocessed < ? and d.envelope is not null and d.reason <> 'rejected'";

  private final SqlRows rows;
  private final LetterWrites writes;
  private final LetterSearch search;

  public SqlLetterIndex(Transactions transactions) {
    this.rows = new SqlRows(transactions);
    this.writes = new LetterWrites(transactions);
    this.search = new LetterSearch(rows, SearchDialect.of(transactions.database()));
  }

  @Override
  public void add(Collection<DeadLetter> letters) {
    writes.add(letters);
  }

  @Override
  public int remove(Collection<LetterPosition> positions) {
    return writes.remove(positions);
  }

  @Override
  public int removeSome(TopicName topic, int most) {
    return remove(
        positions("select place from dead_letter where topic = ? limit ?", topic.value(), most));
  }

  @Override
  public List<DeadLetter> page(
      TopicName topic, LetterFilter filter, LetterPosition before, int limit) {
    return search.newest(topic, filter, before, limit);
  }

  @Override
  public List<DeadLetter> ahead(
      TopicName topic, LetterFilter filter, LetterPosition after, LetterPosition end, int limit) {
    return search.oldest(topic, filter, after, end, limit);
  }

  @Override
  public List<DeadLetter> due(
      TopicName topic, int times, LetterPosition after, LetterPosition end, int limit) {
    String sql = SELECT + DUE + " order by d.place limit ?";
    return letters(sql, topic.value(), after.bits(), end.bits(), times, limit);
  }

  @Override
  public Map<DeadLetterReason, Long> countDue(
      TopicName topic, int times, LetterPosition after, LetterPosition end) {
    String sql = "select d.reason, count(*)" + DUE + " group by d.reason";
    return byReason(rows.select(sql, topic.value(), after.bits(), end.bits(), times));
  }

  @Override
  public Map<DeadLetterReason, Long> count(
      TopicName topic, LetterFilter filter, LetterPosition end) {
    return byReason(search.counts(topic, filter, end));
  }

  private static Map<DeadLetterReason, Long> byReason(List<@Nullable Object[]> rows) {
    Map<DeadLetterReason, Long> counts = new EnumMap<>(DeadLetterReason.class);
    rows.forEach(row -> counts.put(LetterRow.reason(row[0]), LetterRow.number(row[1])));
    return counts;
  }

  @Override
  public List<DeadLetter> at(TopicName topic, Collection<LetterPosition> positions) {
    return SqlRows.parts(positions.stream().sorted().toList()).stream()
        .flatMap(part -> atPart(topic, part).stream())
        .toList();
  }

  private List<DeadLetter> atPart(TopicName topic, List<LetterPosition> positions) {
    String in = SqlRows.in("d.place", positions.size());
    return letters(
        SELECT + " from dead_letter d where " + in + " and d.topic = ? order by d.place",
        Stream.concat(positions.stream().map(LetterPosition::bits), Stream.of(topic.value()))
            .toArray());
  }

  @Override
  public Optional<DeadLetter> find(TopicName topic, MsgId msgId) {
    String sql =
        SELECT
            + " from dead_letter d where d.msg_id = ? and d.topic = ?"
            + " order by d.place desc limit 1";
    return letters(sql, msgId.bytes(), topic.value()).stream().findFirst();
  }

  @Override
  public List<DeadLetter> find(MsgId msgId, int limit) {
    String sql = SELECT + " from dead_letter d where d.msg_id = ? order by d.place desc limit ?";
    return letters(sql, msgId.bytes(), limit);
  }

  @Override
  public List<LetterGroup> groups(TopicName topic, LetterFilter filter, int limit) {
    return search.groups(topic, filter, limit);
  }

  @Override
  public boolean isOutdated(TopicName topic) {
    String sql =
        "select d.place from dead_letter d where d.topic = ? and "
            + LetterRow.OUTDATED
            + " order by d.place limit 1";
    return !positions(sql, topic.value()).isEmpty();
  }

  @Override
  public int regroup(int most) {
    return writes.regroup(most);
  }

  @Override
  public Map<JobId, Long> countByJob(Collection<JobId> jobs) {
    Map<JobId, Long> counts = new HashMap<>();
    for (List<JobId> part : SqlRows.parts(jobs)) {
      String in = SqlRows.in("job", part.size());
      rows.select(
              "select job, count(*) from dead_letter where " + in + " group by job",
              part.stream().map(JobId::value).toArray())
          .forEach(row -> counts.put(new JobId(LetterRow.text(row[0])), LetterRow.number(row[1])));
    }
    return counts;
  }

  @Override
  public LetterPosition newest() {
    return positions("select place from dead_letter order by place desc limit 1").stream()
        .findFirst()
        .orElse(LetterPosition.FIRST);
  }

  @Override
  public Map<TopicName, Map<Integer, Long>> segments() {
    Map<TopicName, Map<Integer, Long>> counts = new HashMap<>();
    rows.select("select topic, segment, count(*) from dead_letter group by topic, segment")
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
    return Set.copyOf(positions(sql, topic.value(), segment));
  }

  private List<LetterPosition> positions(String sql, Object... values) {
    return rows.select(row -> LetterRow.position(row[0]), sql, values);
  }

  private List<DeadLetter> letters(String sql, Object... values) {
    return rows.select(LetterRow::letter, sql, values);
  }
}
