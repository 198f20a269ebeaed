package org.svcmailbox.core.deadletter;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.problem.UnavailableException;

/** An index that looks at every letter: what any other must agree with. */
public final class NaiveLetterIndex implements LetterIndex {
  private final TreeMap<LetterPosition, DeadLetter> letters =
      new TreeMap<>(Comparator.reverseOrder());
  private final Set<LetterPosition> outdated = new HashSet<>();
  private boolean down;

  /** Has it fail, or not any more. */
  synchronized void down(boolean isDown) {
    down = isDown;
  }

  @Override
  public synchronized void add(Collection<DeadLetter> added) {
    requireUp();
    added.forEach(letter -> letters.putIfAbsent(letter.position(), letter));
  }

  @Override
  public synchronized int remove(Collection<LetterPosition> positions) {
    requireUp();
    int before = letters.size();
    positions.forEach(letters::remove);
    return before - letters.size();
  }

  @Override
  public synchronized int removeSome(TopicName topic, int most) {
    return remove(of(topic).limit(most).map(DeadLetter::position).toList());
  }

  @Override
  public synchronized List<DeadLetter> page(
      TopicName topic, LetterFilter filter, LetterPosition before, int limit) {
    return of(topic)
        .filter(letter -> matches(filter, letter))
        .filter(letter -> letter.position().compareTo(before) < 0)
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<DeadLetter> ahead(
      TopicName topic, LetterFilter filter, LetterPosition after, LetterPosition end, int limit) {
    return of(topic)
        .filter(letter -> matches(filter, letter))
        .filter(letter -> letter.position().compareTo(after) > 0)
        .filter(letter -> letter.position().compareTo(end) < 0)
        .sorted(Comparator.comparing(DeadLetter::position))
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<DeadLetter> due(
      TopicName topic, int times, LetterPosition after, LetterPosition end, int limit) {
    return allDue(topic, times, after, end).limit(limit).toList();
  }

  private Stream<DeadLetter> allDue(
      TopicName topic, int times, LetterPosition after, LetterPosition end) {
    return ahead(topic, LetterFilter.ALL, after, end, Integer.MAX_VALUE).stream()
        .filter(letter -> letter.redrives() < times && letter.envelope() != null)
        .filter(letter -> letter.reason() != DeadLetterReason.REJECTED);
  }

  @Override
  public synchronized Map<DeadLetterReason, Long> countDue(
      TopicName topic, int times, LetterPosition after, LetterPosition end) {
    return counted(allDue(topic, times, after, end), DeadLetter::reason);
  }

  @Override
  public synchronized List<DeadLetter> at(TopicName topic, Collection<LetterPosition> positions) {
    return of(topic)
        .filter(letter -> positions.contains(letter.position()))
        .sorted(Comparator.comparing(DeadLetter::position))
        .toList();
  }

  @Override
  public synchronized LetterPosition newest() {
    requireUp();
    return letters.isEmpty() ? LetterPosition.FIRST : letters.firstKey();
  }

  @Override
  public synchronized Optional<DeadLetter> find(TopicName topic, MsgId msgId) {
    return of(topic).filter(letter -> letter.msgId().equals(msgId)).findFirst();
  }

  @Override
  public synchronized List<DeadLetter> find(MsgId msgId, int limit) {
    requireUp();
    return letters.values().stream()
        .filter(letter -> letter.msgId().equals(msgId))
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<LetterGroup> groups(TopicName topic, LetterFilter filter, int limit) {
    return of(topic)
        .filter(letter -> matches(filter, letter))
        .collect(Collectors.groupingBy(DeadLetter::fingerprint))
        .values()
        .stream()
        .map(NaiveLetterIndex::group)
        .sorted(
            Comparator.comparingLong(LetterGroup::count)
                .thenComparing(LetterGroup::last)
                .reversed())
        .limit(limit)
        .toList();
  }

  private static LetterGroup group(List<DeadLetter> alike) {
    DeadLetter last = alike.get(0);
    return new LetterGroup(
        last.fingerprint(),
        counted(alike.stream(), DeadLetter::reason),
        alike.get(alike.size() - 1).position(),
        last.position(),
        last.lastError());
  }

  @Override
  public synchronized Map<JobId, Long> countByJob(Collection<JobId> jobs) {
    requireUp();
    Map<JobId, Long> counts = new HashMap<>();
    for (DeadLetter letter : letters.values()) {
      if (letter.job() != null && jobs.contains(letter.job())) {
        counts.merge(letter.job(), 1L, Long::sum);
      }
    }
    return counts;
  }

  /** Has a letter of an earlier version. */
  synchronized void age(LetterPosition position) {
    outdated.add(position);
  }

  @Override
  public synchronized boolean isOutdated(TopicName topic) {
    return of(topic).anyMatch(letter -> outdated.contains(letter.position()));
  }

  @Override
  public synchronized int regroup(int most) {
    requireUp();
    outdated.retainAll(letters.keySet());
    List<LetterPosition> some = outdated.stream().limit(most).toList();
    outdated.removeAll(some);
    return some.size();
  }

  @Override
  public synchronized Map<DeadLetterReason, Long> count(
      TopicName topic, LetterFilter filter, LetterPosition end) {
    return counted(
        of(topic)
            .filter(letter -> matches(filter, letter))
            .filter(letter -> letter.position().compareTo(end) < 0),
        DeadLetter::reason);
  }

  @Override
  public synchronized Map<TopicName, Map<Integer, Long>> segments() {
    requireUp();
    return letters.values().stream()
        .collect(
            Collectors.groupingBy(
                DeadLetter::topic,
                Collectors.groupingBy(DeadLetter::segment, Collectors.counting())));
  }

  private static <K> Map<K, Long> counted(Stream<DeadLetter> letters, Function<DeadLetter, K> key) {
    return letters.collect(Collectors.groupingBy(key, Collectors.counting()));
  }

  @Override
  public synchronized Set<LetterPosition> positions(TopicName topic, int segment) {
    return of(topic)
        .filter(letter -> letter.segment() == segment)
        .map(DeadLetter::position)
        .collect(Collectors.toSet());
  }

  private Stream<DeadLetter> of(TopicName topic) {
    requireUp();
    return letters.values().stream().filter(letter -> letter.topic().equals(topic));
  }

  private void requireUp() {
    if (down) {
      throw new UnavailableException("the index is down on request");
    }
  }

  /** Whether a filter means a letter. */
  static boolean matches(LetterFilter filter, DeadLetter letter) {
    Envelope envelope = letter.envelope();
    return is(filter.reason(), letter.reason())
        && (filter.fingerprints().isEmpty() || filter.fingerprints().contains(letter.fingerprint()))
        && (filter.since() == null || !letter.deadAt().isBefore(filter.since()))
        && (filter.until() == null || letter.deadAt().isBefore(filter.until()))
        && is(filter.attempts(), letter.attempt())
        && is(filter.job(), letter.job())
        && is(filter.idemKey(), envelope == null ? null : envelope.idemKey().value())
        && is(filter.corrId(), envelope == null ? null : envelope.corrId().value())
        && filter.attributes().entrySet().stream().allMatch(has(envelope))
        && filter.words().stream().allMatch(word -> says(word, letter));
  }

  private static <T> boolean is(@Nullable T wanted, @Nullable T found) {
    return wanted == null || wanted.equals(found);
  }

  private static Predicate<Map.Entry<String, String>> has(@Nullable Envelope envelope) {
    return attribute ->
        envelope != null
            && attribute.getValue().equals(envelope.attrs().values().get(attribute.getKey()));
  }

  private static boolean says(String wanted, DeadLetter letter) {
    return ErrorWords.of(letter.lastError()).words().stream()
        .anyMatch(
            word ->
                wanted.endsWith("*")
                    ? word.startsWith(wanted.substring(0, wanted.length() - 1))
                    : word.equals(wanted));
  }
}
