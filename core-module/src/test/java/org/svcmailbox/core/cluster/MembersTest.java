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
      judged.append(judge(new Beat(NODE, URL, life, number, 1, isLeaving, isFit)));
      time.advance(PACE);
    }
    assertEquals(judgements, judged.toString(), what);
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
                      new Beat(new NodeId("a"), URL, 1, number, 1, false, true),
                      new Beat(new NodeId("b"), URL, 1, 1, 1, false, true),
                      new Beat(new NodeId("c"), URL, 1, number, 3, false, true)))
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
    assertEquals(
        'K', judge(new Beat(NODE, URL, 1, 1, 1, /* isLeaving= */ false, /* isFit= */ false)));
    time.advance(Duration.ofSeconds(20));
    assertEquals(
        'K', judge(new Beat(NODE, URL, 1, 9, 1, /* isLeaving= */ false, /* isFit= */ false)));
  }

  private char beat(int number) {
    time.advance(PACE);
    return judge(new Beat(NODE, URL, 1, number, 1, /* isLeaving= */ false, /* isFit= */ true));
  }

  @Test
  void aNodeThatWasRemovedAndReturnsIsNew() {
    IntStream.rangeClosed(1, 11).forEach(this::beat);
    assertEquals('T', beat(12));
    members.judge(List.of());
    assertEquals('K', beat(13));
  }
}
