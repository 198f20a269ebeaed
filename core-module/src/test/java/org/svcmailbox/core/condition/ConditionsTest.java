package org.svcmailbox.core.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.condition.Observation.BoundUse;
import org.svcmailbox.core.condition.Observation.TopicLoad;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.topic.TopicAdmin.DiskRoom;

/** Each condition fires and ends by a ticked clock, also at its edges. */
class ConditionsTest {
  private static final Duration READY_AGE = Duration.ofMinutes(5);
  private static final Instant START = Instant.parse("2026-11-29T02:14:00Z");
  private static final TopicLoad CALM = load(0, 0, Map.of());

  private Conditions conditions = new Conditions();
  private Instant now = START;

  private static TopicLoad load(
      long readySeconds, double saturation, Map<DeadLetterReason, Long> letters) {
    return new TopicLoad(
        new TopicName("orders"),
        false,
        true,
        Duration.ofSeconds(readySeconds),
        READY_AGE,
        saturation,
        letters);
  }

  private static TopicLoad urgent(long readySeconds) {
    return new TopicLoad(
        new TopicName("urgent"),
        false,
        true,
        Duration.ofSeconds(readySeconds),
        Duration.ofSeconds(1),
        0,
        Map.of());
  }

  private static TopicLoad overdue(boolean isPaused, boolean isReceived) {
    return new TopicLoad(
        new TopicName("orders"),
        isPaused,
        isReceived,
        Duration.ofSeconds(301),
        READY_AGE,
        0,
        Map.of());
  }

  private static TopicLoad rejected(long letters) {
    return load(0, 0, letters == 0 ? Map.of() : Map.of(DeadLetterReason.REJECTED, letters));
  }

  private ConditionsTest at(long seconds) {
    now = START.plusSeconds(seconds);
    return this;
  }

  private String sees(TopicLoad... topics) {
    return sees(null, List.of(), topics);
  }

  /** The firing conditions as {@code kind topic subject value since}, with seconds of the start. */
  private String sees(@Nullable DiskRoom disk, List<BoundUse> bounds, TopicLoad... topics) {
    return sees(new Observation(disk, null, bounds, List.of(topics)));
  }

  private String seesStandby(@Nullable Boolean standby) {
    return sees(new Observation(null, standby, List.of(), List.of()));
  }

  private String sees(Observation seen) {
    return conditions.after(seen, now).stream()
        .map(
            one ->
                "%s %s %s %s %d"
                    .formatted(
                        one.kind().id(),
                        one.topic(),
                        one.subject(),
                        one.value(),
                        Duration.between(START, one.since()).toSeconds()))
        .collect(Collectors.joining("; "));
  }

  @ParameterizedTest
  @CsvSource({
    "400, 100, ''",
    "399, 100, disk_low null  399.0 0",
    "0, 100, disk_low null  0.0 0",
    "403, 100, ''",
    "100, 0, ''"
  })
  void theDiskIsLowBelowFourReserves(long free, long reserve, String expected) {
    assertEquals(expected, sees(new DiskRoom(free, reserve), List.of()));
  }

  @Test
  void aLowDiskFiresAtOnceAndEndsAtOnce() {
    assertEquals("", sees(new DiskRoom(400, 100), List.of()));
    assertEquals("disk_low null  399.0 10", at(10).sees(new DiskRoom(399, 100), List.of()));
    assertEquals("disk_low null  1.0 10", at(20).sees(new DiskRoom(1, 100), List.of()));
    assertEquals("", at(30).sees(new DiskRoom(400, 100), List.of()));
    assertEquals("disk_low null  399.0 40", at(40).sees(new DiskRoom(399, 100), List.of()));
    assertEquals("", at(50).sees(null, List.of()));
  }

  @Test
  void aPairOfBrokersWithoutAWaitingOneFiresAfterAMinute() {
    assertEquals("", seesStandby(null));
    assertEquals("", at(1_000).seesStandby(null));
    assertEquals("", at(1_010).seesStandby(false));
    assertEquals("", at(1_069).seesStandby(false));
    assertEquals("standby_missing null  null 1010", at(1_070).seesStandby(false));
    assertEquals("", at(1_080).seesStandby(true));
    assertEquals("", at(1_090).seesStandby(false));
    assertEquals("standby_missing null  null 1090", at(1_150).seesStandby(false));
    assertEquals("", at(1_160).seesStandby(null));
  }

  @ParameterizedTest
  @CsvSource({
    "0.9, ''",
    "0.91, saturated null max_waiting 0.91 0",
    "1, saturated null max_waiting 1.0 0"
  })
  void aBoundIsSaturatedAboveNineTenths(double fullness, String expected) {
    assertEquals(expected, sees(null, List.of(new BoundUse("max_waiting", fullness))));
  }

  @Test
  void boundsAreSaturatedEachByItself() {
    BoundUse full = new BoundUse("streams", 1);
    assertEquals("saturated null streams 1.0 0", sees(null, List.of(full)));
    assertEquals(
        "saturated null streams 1.0 0; saturated null max_waiting 1.0 10",
        at(10).sees(null, List.of(new BoundUse("max_waiting", 1), full)));
    assertEquals(
        "saturated null max_waiting 1.0 10",
        at(20).sees(null, List.of(new BoundUse("max_waiting", 1))));
  }

  @Test
  void aTopicIsSaturatedAfterFiveMinutesAboveEightTenths() {
    TopicLoad full = load(0, 0.81, Map.of());
    assertEquals("", sees(full));
    assertEquals("", at(299).sees(full));
    assertEquals("saturated orders  0.81 0", at(300).sees(full));
    assertEquals("saturated orders  1.0 0", at(310).sees(load(0, 1, Map.of())));
    assertEquals("", at(320).sees(load(0, 0.8, Map.of())));
    assertEquals("", at(330).sees(full));
    assertEquals("saturated orders  0.81 330", at(630).sees(full));
  }

  @Test
  void aTopicThatFlapsIsNotSaturated() {
    for (int i = 0; i < 200; i++) {
      assertEquals("", at(i * 10L).sees(load(0, i % 30 == 29 ? 0.8 : 1, Map.of())), "look " + i);
    }
  }

  @Test
  void aMessageIsOverdueOnceOneHasBeenTooOldForFiveMinutes() {
    TopicLoad old = load(301, 0, Map.of());
    assertEquals("", sees(old));
    assertEquals("", at(299).sees(load(600, 0, Map.of())));
    assertEquals("ready_overdue orders slow 601.0 0", at(300).sees(load(601, 0, Map.of())));
    assertEquals("", at(310).sees(load(300, 0, Map.of())));
    assertEquals("", at(320).sees(old));
    assertEquals("ready_overdue orders slow 301.0 320", at(620).sees(old));
  }

  @Test
  void anOverdueMessageSaysWhyAndTheCauseMayChange() {
    sees(overdue(false, false));
    assertEquals(
        "ready_overdue orders nobody_receives 301.0 0", at(300).sees(overdue(false, false)));
    assertEquals("ready_overdue orders paused 301.0 0", at(310).sees(overdue(true, true)));
    assertEquals("ready_overdue orders paused 301.0 0", at(320).sees(overdue(true, false)));
    assertEquals("ready_overdue orders slow 301.0 0", at(330).sees(overdue(false, true)));
  }

  @Test
  void theAgeIsASettingOfTheTopic() {
    sees(urgent(2), load(2, 0, Map.of()));
    assertEquals("ready_overdue urgent slow 2.0 0", at(300).sees(urgent(2), load(2, 0, Map.of())));
    assertEquals("", at(310).sees(urgent(1)));
  }

  @Test
  void lettersAreNewForFifteenMinutesAfterTheLast() {
    assertEquals("", sees(CALM));
    assertEquals("letters_new orders rejected 3.0 10", at(10).sees(rejected(3)));
    assertEquals("letters_new orders rejected 3.0 10", at(609).sees(rejected(3)));
    assertEquals("letters_new orders rejected 5.0 10", at(610).sees(rejected(5)));
    assertEquals("letters_new orders rejected 5.0 10", at(1509).sees(rejected(5)));
    assertEquals("", at(1510).sees(rejected(5)));
    assertEquals("letters_new orders rejected 1.0 1520", at(1520).sees(rejected(6)));
  }

  @Test
  void aLetterAtTheEndOfTheFifteenMinutesBeginsAnother() {
    assertEquals("letters_new orders rejected 3.0 0", sees(rejected(3)));
    assertEquals("letters_new orders rejected 1.0 900", at(900).sees(rejected(4)));
  }

  @Test
  void lettersAreNewByTopicAndReason() {
    TopicLoad both =
        load(0, 0, Map.of(DeadLetterReason.EXPIRED, 1L, DeadLetterReason.REJECTED, 2L));
    TopicLoad other =
        new TopicLoad(
            new TopicName("bills"),
            false,
            true,
            Duration.ZERO,
            READY_AGE,
            0,
            rejected(7).letters());
    assertEquals(
        "letters_new bills rejected 7.0 0; letters_new orders expired 1.0 0;"
            + " letters_new orders rejected 2.0 0",
        sees(both, other));
  }

  @Test
  void aDeletedTopicHasNoNewLetters() {
    sees(rejected(3));
    assertEquals("", at(10).sees());
    assertEquals("letters_new orders rejected 1.0 20", at(20).sees(rejected(1)));
  }

  @Test
  void aCountThatFellBeginsAgain() {
    sees(rejected(3));
    assertEquals("", at(10).sees(rejected(2)));
    assertEquals("letters_new orders rejected 1.0 20", at(20).sees(rejected(3)));
  }

  @Test
  void aRestartForgetsHowLongConditionsHaveHeld() {
    TopicLoad bad = load(301, 0.9, Map.of());
    sees(bad);
    assertTrue(at(300).sees(bad).contains("ready_overdue"));
    conditions = new Conditions();
    assertEquals("", at(310).sees(bad));
    assertTrue(at(610).sees(bad).contains("ready_overdue orders slow 301.0 310"));
  }

  @Test
  void theMostUrgentKindComesFirst() {
    TopicLoad bad = load(301, 1, Map.of(DeadLetterReason.REJECTED, 1L));
    List<BoundUse> bounds = List.of(new BoundUse("streams", 1));
    sees(new DiskRoom(1, 1), bounds, bad);
    assertEquals(
        "disk_low null  1.0 0; saturated null streams 1.0 0; saturated orders  1.0 0;"
            + " ready_overdue orders slow 301.0 0; letters_new orders rejected 1.0 0",
        at(300).sees(new DiskRoom(1, 1), bounds, bad));
  }

  /** A condition is forgotten with its topic. */
  @Test
  void manyTopicsAreForgottenTogether() {
    TopicLoad[] many =
        IntStream.range(0, 5_000)
            .mapToObj(
                i ->
                    new TopicLoad(
                        new TopicName("t" + i),
                        false,
                        false,
                        Duration.ofSeconds(301),
                        READY_AGE,
                        1,
                        rejected(1).letters()))
            .toArray(TopicLoad[]::new);
    sees(many);
    assertEquals(15_000, at(300).sees(many).split(";").length);
    assertEquals("", at(310).sees());
    assertEquals(5_000, at(320).sees(many).split(";").length, "only the letters fire at once");
  }

  @Test
  void everyRunbookIsASectionOfTheDocuments() throws IOException {
    List<Condition> all = new ArrayList<>();
    for (ConditionKind kind : ConditionKind.values()) {
      all.add(new Condition(kind, START, null, "any", null));
    }
    Condition.OF_BOUNDS
        .keySet()
        .forEach(
            bound ->
                all.add(new Condition(ConditionKind.BOUND_SATURATED, START, null, bound, null)));
    for (Condition one : all) {
      String[] parts = one.runbook().split("#", 2);
      assertTrue(anchors(parts[0]).contains(parts[1]), one::runbook);
    }
  }

  private static Set<String> anchors(String document) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("../docs", document))) {
      return lines
          .filter(line -> line.startsWith("#"))
          .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
          .map(line -> line.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
          .collect(Collectors.toSet());
    }
  }
}
