package org.svcmailbox.ejb.deadletter;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.Fingerprint;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterGroup;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.deadletter.LetterTerms;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;

/** Queries with a filter. All criteria except times use the full-text search. */
record LetterSearch(SqlRows rows, SearchDialect dialect) {
  /** One column for each reason, in the order of the enum. */
  private static final String REASON_COUNTS =
      Arrays.stream(DeadLetterReason.values())
          .map(reason -> ", sum(case d.reason when '" + reason.text() + "' then 1 else 0 end)")
          .collect(Collectors.joining());

  /**
   * The letters of a filter between two positions.
   *
   * @param position the column that orders them
   */
  private record Matching(String from, String position, List<Object> values) {
    Object[] parameters(Object... more) {
      return Stream.concat(values.stream(), Arrays.stream(more)).toArray();
    }
  }

  private Matching matching(
      TopicName topic, LetterFilter filter, LetterPosition from, LetterPosition end) {
    LetterPosition first = Collections.max(List.of(from, filter.from()));
    LetterPosition last = Collections.min(List.of(end, filter.to()));
    String position = filter.isNarrow() ? "dead_letter_search." + dialect.key() : "d.place";
    String source =
        filter.isNarrow()
            ? " from dead_letter_search join dead_letter d on d.place = %s where %s"
                .formatted(position, dialect.match())
            : " from dead_letter d where d.topic = ?";
    Object wanted =
        filter.isNarrow() ? dialect.query(LetterTerms.of(topic.value(), filter)) : topic.value();
    return new Matching(
        source + " and " + position + " >= ? and " + position + " < ?",
        position,
        List.of(wanted, first.bits(), last.bits()));
  }

  List<DeadLetter> newest(TopicName topic, LetterFilter filter, LetterPosition before, int limit) {
    return letters(matching(topic, filter, LetterPosition.FIRST, before), "desc", limit);
  }

  List<DeadLetter> oldest(
      TopicName topic, LetterFilter filter, LetterPosition after, LetterPosition end, int limit) {
    return after.equals(LetterPosition.LAST)
        ? List.of()
        : letters(matching(topic, filter, after.next(), end), "asc", limit);
  }

  private List<DeadLetter> letters(Matching matching, String order, int limit) {
    String sql =
        "select %s%s order by %s %s limit ?"
            .formatted(LetterRow.SELECTED, matching.from(), matching.position(), order);
    return rows.select(LetterRow::letter, sql, matching.parameters(limit));
  }

  /** Counts letters by reason, as rows of reason and count. */
  List<@Nullable Object[]> counts(TopicName topic, LetterFilter filter, LetterPosition end) {
    Matching matching = matching(topic, filter, LetterPosition.FIRST, end);
    return rows.select(
        "select d.reason, count(*)" + matching.from() + " group by d.reason",
        matching.parameters());
  }

  List<LetterGroup> groups(TopicName topic, LetterFilter filter, int limit) {
    Matching matching = matching(topic, filter, LetterPosition.FIRST, LetterPosition.LAST);
    List<@Nullable Object[]> groups =
        rows.select(
            "select d.fingerprint, count(*), min(d.place), max(d.place)"
                + REASON_COUNTS
                + matching.from()
                + " group by d.fingerprint order by 2 desc, 4 desc limit ?",
            matching.parameters(limit));
    Map<LetterPosition, String> samples = errors(groups.stream().map(row -> row[3]).toArray());
    return groups.stream().map(row -> group(row, samples)).toList();
  }

  private static LetterGroup group(@Nullable Object[] row, Map<LetterPosition, String> samples) {
    LetterPosition last = LetterRow.position(row[3]);
    return new LetterGroup(
        new Fingerprint(LetterRow.number(row[0])),
        reasons(row),
        LetterRow.position(row[2]),
        last,
        samples.getOrDefault(last, ""));
  }

  private static Map<DeadLetterReason, Long> reasons(@Nullable Object[] row) {
    Map<DeadLetterReason, Long> counts = new EnumMap<>(DeadLetterReason.class);
    int column = 4;
    for (DeadLetterReason reason : DeadLetterReason.values()) {
      long count = LetterRow.number(row[column++]);
      if (count > 0) {
        counts.put(reason, count);
      }
    }
    return counts;
  }

  private Map<LetterPosition, String> errors(Object... positions) {
    if (positions.length == 0) {
      return Map.of();
    }
    String sql =
        "select place, last_error from dead_letter where " + SqlRows.in("place", positions.length);
    return rows.select(sql, positions).stream()
        .collect(
            Collectors.toMap(row -> LetterRow.position(row[0]), row -> LetterRow.error(row[1])));
  }
}
