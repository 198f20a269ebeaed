package org.svcmailbox.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.time.TestTime;

/** Judgements of a node by looks at its beats, half a second apart. */
class MembersTest {
  private static final URI URL = URI.create("http://node:8080");
  private static final NodeId NODE = new NodeId("a");
  private static final Duration PACE = Duration.ofMillis(500);

  private final TestTime time = new TestTime();
  private final Members members = new Members(time);

  /**
   * Beats: {@code +} a new one that is fit, {@code -} a new one that is not, {@code .} none, {@code
   * L} leaving, {@code N} the first of a new life that is fit. Judgements: {@code T} takes groups,
   * {@code K} keeps what it has, {@code x} neither.
   */
  @ParameterizedTest
  @CsvSource({
    "five seconds of being fit, '++++++++++++', 'KKKKKKKKKKTT'",
    "two silent looks and a beat, '++++++++++++..+', 'KKKKKKKKKKTTTKT'",
    "five silent looks, '++++++++++++.....', 'KKKKKKKKKKTTTKKKx'",
    "back after five, '++++++++++.....+', 'KKKKKKKKKKTKKKxT'",
    "three seconds unfit, '+-------+', 'KKKKKKKxK'",
    "unfit from the first look, '-------', 'KKKKKKx'",
    "fit again for five seconds, '++++++++++++-++++++++++++', 'KKKKKKKKKKTTKKKKKKKKKKKTT'",
    "one silent look, '++++++++++.+.+.+', 'KKKKKKKKKKTTTTTT'",
    "leaving, '++++++++++++LL+', 'KKKKKKKKKKTTxxT'",
    "a new life after a death, '++++++++++++.....NNNNNNNNNNNNN', 'KKKKKKKKKKTTTKKKxKKKKKKKKKKTTT'",
    "a new life at once, '+++++++++++++NNNNNNNNNNN', 'KKKKKKKKKKTTTKKKKKKKKKKT'"
  })
  void looksSayWhoKeepsAndWhoTakes(String what, String beats, String judgements) {
    StringBuilder judged = new StringBuilder();
    long number = 0;
    boolean isFit = false;
    boolean isLeaving = false;
    for (int look = 0; look < beats.length(); look++) {
      char sign = beats.charAt(look);
      if (sign != '.') {
        number++;
        isFit = sign != '-';
        isLeaving = sign == 'L';
      }
      long life = look >= beats.indexOf('N') && beats.indexOf('N') >= 0 ? 2 : 1;
      judged.append(
          judge(beat(NODE, life, number, 1, new NodeStanding(isLeaving, isFit ? "" : "unfit", 0))));
      time.advance(PACE);
    }
    assertEquals(judgements, judged.toString(), what);
  }

  private static Beat beat(NodeId node, long life, long number, int lives, NodeStanding standing) {
    return new Beat(node, URL, "1.0", life, number, lives, standing);
  }

  private char judge(Beat beat) {
    Member member = members.judge(List.of(beat)).get(0);
    if (member.takes()) {
      return 'T';
    }
    return member.keeps() ? 'K' : 'x';
  }

  @ParameterizedTest
  @CsvSource({"1, 5", "2, 10", "3, 20", "4, 40", "5, 60", "6, 60", "70, 60", "2147483647, 60"})
  void aNodeThatKeepsRestartingWaitsLonger(int lives, int seconds) {
    assertEquals(Duration.ofSeconds(seconds), Members.trial(lives));
  }

  @Test
  void eachNodeIsJudgedByItsOwnBeats() {
    String last = "";
    for (int look = 1; look <= 12; look++) {
      int number = look;
      last =
          members
              .judge(
                  List.of(
                      beat(new NodeId("a"), 1, number, 1, Standings.FIT),
                      beat(new NodeId("b"), 1, 1, 1, Standings.FIT),
                      beat(new NodeId("c"), 1, number, 3, Standings.FIT)))
              .stream()
              .map(member -> member.node() + (member.takes() ? "T" : member.keeps() ? "K" : "x"))
              .collect(Collectors.joining(" "));
      time.advance(PACE);
    }
    assertEquals("aT bx cK", last);
  }

  /** A database that was away shows an old beat, or one of a node that died meanwhile. */
  @ParameterizedTest
  @CsvSource({"2900, T, T", "3000, K, K", "20000, K, K"})
  void looksFarApartProveNothing(int gap, char first, char next) {
    IntStream.rangeClosed(1, 11).forEach(this::beat);
    assertEquals('T', beat(12));
    time.advance(Duration.ofMillis(gap).minus(PACE));
    assertEquals(first, beat(13));
    assertEquals(next, beat(14));
  }

  @Test
  void aNodeThatIsUnfitAgainAfterAGapHasItsThreeSeconds() {
    assertEquals('K', judge(beat(NODE, 1, 1, 1, Standings.UNFIT)));
    time.advance(Duration.ofSeconds(20));
    assertEquals('K', judge(beat(NODE, 1, 9, 1, Standings.UNFIT)));
  }

  private char beat(int number) {
    time.advance(PACE);
    return judge(beat(NODE, 1, number, 1, Standings.FIT));
  }

  @Test
  void aNodeThatWasRemovedAndReturnsIsNew() {
    IntStream.rangeClosed(1, 11).forEach(this::beat);
    assertEquals('T', beat(12));
    members.judge(List.of());
    assertEquals('K', beat(13));
  }

  @Test
  void aSightingHasTheAgeOfTheLastNewBeat() {
    for (int look = 0; look <= Members.SILENT_LOOKS; look++) {
      members.judge(
          List.of(
              beat(new NodeId("b"), 1, look, 1, Standings.LEAVING),
              beat(NODE, 1, 1, 1, Standings.FIT)));
      time.advance(PACE);
    }
    assertEquals(
        List.of(
            new Sighting(
                beat(NODE, 1, 1, 1, Standings.FIT),
                /* isAlive= */ false,
                PACE.multipliedBy(Members.SILENT_LOOKS + 1)),
            new Sighting(
                beat(new NodeId("b"), 1, Members.SILENT_LOOKS, 1, Standings.LEAVING),
                /* isAlive= */ true,
                PACE)),
        members.sightings());
  }

  @ParameterizedTest
  @CsvSource({
    "true, false, true, UP",
    "true, false, false, UNFIT",
    "true, true, true, LEAVING",
    "true, true, false, LEAVING",
    "false, false, true, DEAD",
    "false, true, false, DEAD"
  })
  void aSightingSaysWhatTheNodeDoes(
      boolean isAlive, boolean isLeaving, boolean isFit, Sighting.State state) {
    NodeStanding standing = new NodeStanding(isLeaving, isFit ? "" : "no session", 0);
    assertEquals(state, Standings.sighting(NODE, URL, isAlive, standing).state());
  }
}
