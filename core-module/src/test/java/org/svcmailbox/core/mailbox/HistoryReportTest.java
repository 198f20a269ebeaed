package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.history.Figures;
import org.svcmailbox.core.history.HistoryService.History;
import org.svcmailbox.core.history.HistoryService.Question;
import org.svcmailbox.core.history.HistoryService.Window;
import org.svcmailbox.core.history.InMemoryHistoryStore;
import org.svcmailbox.core.history.MinuteQueue;
import org.svcmailbox.core.history.Series;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.UnavailableException;

/** The history of a whole mailbox, on a clock that the test moves. */
class HistoryReportTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final Set<Series> ALL = EnumSet.allOf(Series.class);

  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.history.topics", "1", "mailbox.history.keep", "2h"));
  private final InMemoryHistoryStore store = new InMemoryHistoryStore();
  private long refused;
  private HistoryReport report = begin();

  private HistoryReport begin() {
    return rig.mailbox()
        .history(new HistoryReport.Sources(store, () -> refused, rig.time, rig.time));
  }

  /** As upkeep does, with a step of five seconds in place of one. */
  private void pass(Duration time) {
    for (long left = time.toSeconds(); left > 0; left -= 5) {
      rig.pass(Duration.ofSeconds(5));
      rig.mailbox().queues().step();
      turn();
    }
  }

  private void turn() {
    report.look();
    try {
      report.write();
    } catch (UnavailableException e) {
      assertTrue(store.isAway);
    }
  }

  private History read(Window window, TopicName... topics) {
    return report.read(SampleCallers.OPERATOR, new Question(List.of(topics), ALL, window));
  }

  private List<@Nullable Figures> points(TopicName... topics) {
    return read(Window.HOUR, topics).lines().get(0).points();
  }

  /** The last points of one series; null is a gap. */
  private List<@Nullable Long> last(int count, Series series, TopicName... topics) {
    List<@Nullable Figures> points = points(topics);
    return points.subList(points.size() - count, points.size()).stream()
        .map(figures -> figures == null ? null : (Long) figures.of(series))
        .toList();
  }

  private double lost() {
    return report.metrics().stream().mapToDouble(Metric::now).sum();
  }

  private void send(int count) {
    for (int i = 0; i < count; i++) {
      rig.send("orders", "k" + rig.time.nanos() + "-" + i, "x");
    }
  }

  @Test
  void aMinuteShowsWhatHappenedInIt() {
    send(3);
    refused = 4;
    LeasedMessage one = ((Delivered) rig.recvNow("orders", 1)).messages().get(0);
    rig.ack(one.message().envelope().msgId(), one.receipt());
    LeasedMessage bad = ((Delivered) rig.recvNow("orders", 1)).messages().get(0);
    pass(Duration.ofSeconds(10));
    rig.reject(bad.message().envelope().msgId(), bad.receipt());
    pass(Duration.ofSeconds(55));

    Figures minute = Objects.requireNonNull(points(ORDERS).get(59));
    assertEquals(3, minute.of(Series.SENT));
    assertEquals(2, minute.of(Series.DELIVERED));
    assertEquals(0, minute.of(Series.REDELIVERED));
    assertEquals(1, minute.of(Series.ACKED));
    assertTrue(minute.of(Series.READY) >= 1, minute.toString());
    assertTrue(minute.of(Series.OLDEST_MS) >= 50_000, minute.toString());
    Figures service = Objects.requireNonNull(points().get(59));
    assertEquals(4, service.of(Series.REFUSED));
    assertEquals(minute.of(Series.SENT), service.of(Series.SENT));
  }

  @Test
  void messagesThatWaitForTheirTimeAreScheduled() {
    rig.send("orders", "later", "x", null, Duration.ofHours(1));
    rig.send("orders", "now", "x");
    pass(Duration.ofMinutes(2));

    assertEquals(List.of(1L), last(1, Series.SCHEDULED, ORDERS));
    assertEquals(List.of(1L), last(1, Series.READY, ORDERS));
  }

  @Test
  void timeWithoutTheServiceIsAGapAndItsStartIsTold() {
    send(1);
    pass(Duration.ofSeconds(150));
    report.end();
    rig.stop();
    rig.time.advance(Duration.ofMinutes(3));
    rig.startAgain();
    Instant start = rig.time.instant();
    report = begin();
    send(2);
    pass(Duration.ofSeconds(90));

    // Minutes 0 to 2 with the first life, 5 and 6 with the second.
    List<@Nullable Long> sent = last(7, Series.SENT);
    assertEquals(Arrays.asList(1L, 0L, 0L, null, null, 2L, 0L), sent);
    assertEquals(sent, last(7, Series.SENT, ORDERS));
    assertEquals(
        List.of(start), read(Window.HOUR).starts().stream().filter(start::equals).toList());
    assertEquals(2, read(Window.HOUR).starts().size());
  }

  @Test
  void aRestartWithinAMinuteLosesNothing() {
    send(2);
    pass(Duration.ofSeconds(20));
    report.end();
    rig.restart();
    report = begin();
    send(3);
    pass(Duration.ofSeconds(45));

    assertEquals(List.of(5L), last(1, Series.SENT));
  }

  @Test
  void anOutageOfAnHourLeavesNoGap() {
    pass(Duration.ofSeconds(60));
    store.isAway = true;
    send(7);
    pass(Duration.ofMinutes(MinuteQueue.MOST));
    store.isAway = false;
    assertEquals(0, lost());
    while (report.write()) {
      turn();
    }

    assertFalse(points().contains(null), "a gap");
    assertEquals(7L, last(60, Series.SENT).stream().mapToLong(Objects::requireNonNull).sum());
  }

  @Test
  void aLongerOutageLosesItsOldestMinutesAndCountsThem() {
    pass(Duration.ofSeconds(60));
    store.isAway = true;
    pass(Duration.ofMinutes(MinuteQueue.MOST + 2));
    store.isAway = false;
    assertEquals(2, lost());
    while (report.write()) {
      turn();
    }
    pass(Duration.ofMinutes(1));

    // The last minute before the outage is as old as the window; the two after it are lost.
    List<@Nullable Figures> points = read(Window.SIX_HOURS).lines().get(0).points();
    assertEquals(2, points.subList(360 - 63, 360).stream().filter(Objects::isNull).count());
  }

  @Test
  void anAnswerEndsWithTheLastMinuteThatIsWritten() {
    pass(Duration.ofMinutes(5));
    store.isAway = true;
    pass(Duration.ofMinutes(3));
    store.isAway = false;

    Instant until = read(Window.HOUR).from().plus(Duration.ofHours(1));

    assertEquals(Instant.parse("2026-01-01T00:05:00Z"), until);
    assertEquals(List.of(0L), last(1, Series.SENT));
  }

  @Test
  void aTopicThatIsLeftOutIsAGapAndTheServiceIsNot() {
    send(5);
    rig.send("rare", "k", "x");
    pass(Duration.ofSeconds(60));

    assertEquals(List.of(5L), last(1, Series.SENT, ORDERS));
    assertEquals(Collections.singletonList(null), last(1, Series.SENT, new TopicName("rare")));
    assertEquals(List.of(6L), last(1, Series.SENT));
  }

  @Test
  void aClockThatIsSetBackLosesNothing() {
    send(2);
    pass(Duration.ofMinutes(3));
    rig.time.jumpWall(Duration.ofMinutes(-2));
    send(3);
    pass(Duration.ofMinutes(4));

    long all =
        points().stream().filter(Objects::nonNull).mapToLong(one -> one.of(Series.SENT)).sum();
    assertEquals(5, all);
  }

  @Test
  void minutesPastTheirRetentionAreRemoved() {
    pass(Duration.ofMinutes(3));
    rig.time.advance(Duration.ofHours(2));
    pass(Duration.ofMinutes(2));
    report.purge();

    List<@Nullable Figures> points = read(Window.SIX_HOURS).lines().get(0).points();
    assertEquals(
        LongStream.of(359, 358).sum(),
        LongStream.range(0, 360).filter(i -> points.get((int) i) != null).sum());
  }

  @Test
  void rightsAreThoseOfEachTopic() {
    send(1);
    rig.send("other", "k", "x");
    pass(Duration.ofSeconds(60));
    Question orders = new Question(List.of(ORDERS), ALL, Window.HOUR);
    Question both = new Question(List.of(ORDERS, new TopicName("other")), ALL, Window.HOUR);
    Question service = new Question(List.of(), ALL, Window.HOUR);
    Caller reader = new SampleCallers().caller(1, "ops = peek", "topic = orders");

    assertEquals(1, report.read(reader, orders).lines().size());
    assertThrows(DeniedException.class, () -> report.read(reader, both));
    assertThrows(DeniedException.class, () -> report.read(reader, service));
    assertThrows(NotFoundException.class, () -> read(Window.HOUR, new TopicName("nowhere")));
  }

  @Test
  void theFifthReadAtATimeIsRefusedByName() {
    CapacityLimit limit = rig.mailbox().limits().historyReads();
    assertTrue(limit.tryAdd(4));
    SaturatedException full = assertThrows(SaturatedException.class, () -> read(Window.HOUR));
    assertEquals("history_reads", full.reason());
    limit.remove(1);
    assertEquals(60, points().size());
    store.isAway = true;
    assertThrows(UnavailableException.class, () -> read(Window.HOUR));
    assertEquals(3, limit.count());
  }
}
