package org.svcmailbox.test.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.svcmailbox.test.history.Story.TOPIC;
import static org.svcmailbox.test.history.Story.at;
import static org.svcmailbox.test.history.Story.handed;
import static org.svcmailbox.test.history.Violation.Kind.AFTER_ACK;
import static org.svcmailbox.test.history.Violation.Kind.ATTEMPT;
import static org.svcmailbox.test.history.Violation.Kind.DEAD_LETTERS;
import static org.svcmailbox.test.history.Violation.Kind.DUPLICATE;
import static org.svcmailbox.test.history.Violation.Kind.INVENTED;
import static org.svcmailbox.test.history.Violation.Kind.LOST;
import static org.svcmailbox.test.history.Violation.Kind.ORDER;
import static org.svcmailbox.test.history.Violation.Kind.TWO_LEASES;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.history.Event.Handed;
import org.svcmailbox.test.history.Violation.Kind;

class HistoryCheckerTest {
  private static final int MAX_ATTEMPTS = 3;
  private static final TopicEnd EMPTY = TopicEnd.drained(TOPIC, MAX_ATTEMPTS, 0);

  /** A message through everything that may happen to it. */
  private static Story life() {
    return new Story()
        .sendUnknown(0, "k")
        .sentAgain(10, "k", "m")
        .received(20, "m", "k", 1, "r1")
        .nacked(30, "m", "r1")
        .received(40, "m", "k", 2, "r2")
        .crashed(50, 60)
        .received(70, "m", "k", 2, "r3")
        .extended(80, "m", "r3");
  }

  @Test
  void aCorrectHistoryPasses() {
    assertFound(life().acked(90, "m", "r3"));
  }

  @Test
  void aMessageThatIsLeftIsNotLost() {
    assertFound(life(), new TopicEnd(TOPIC, MAX_ATTEMPTS, Set.of("m"), Set.of(), 0));
  }

  @Test
  void aMessageThatIsDeadIsNotLost() {
    assertFound(life(), new TopicEnd(TOPIC, MAX_ATTEMPTS, Set.of(), Set.of("m"), 0));
  }

  @Test
  void aCountedDeadLetterAccountsForAMessageThatHadItsAttempts() {
    Story story =
        new Story()
            .sent(0, "k", "m")
            .received(10, "m", "k", 1, "r1")
            .received(2000, "m", "k", 2, "r2")
            .received(4000, "m", "k", 3, "r3");
    assertFound(story, TopicEnd.drained(TOPIC, MAX_ATTEMPTS, 1));
    assertFound(story, TopicEnd.drained(TOPIC, MAX_ATTEMPTS, 0), LOST);
  }

  @Test
  void aCountedDeadLetterDoesNotAccountForAMessageWithAttemptsToGo() {
    Story story = new Story().sent(0, "k", "m").received(10, "m", "k", 1, "r1");
    assertFound(story, TopicEnd.drained(TOPIC, MAX_ATTEMPTS, 1), DEAD_LETTERS, LOST);
  }

  @Test
  void anAnsweredSendWithoutATraceIsLost() {
    assertFound(new Story().sent(0, "k", "m"), LOST);
  }

  @Test
  void aMessageThatWasSeenAndThenVanishedIsLostThoughItsSendWasNeverAnswered() {
    assertFound(new Story().sendUnknown(0, "k").received(10, "m", "k", 1, "r"), LOST);
  }

  @Test
  void anUnansweredSendMayHaveDoneNothing() {
    assertFound(new Story().sendUnknown(0, "k"));
  }

  @Test
  void anUnansweredAckMayHaveBeenDone() {
    assertFound(
        new Story().sent(0, "k", "m").received(10, "m", "k", 1, "r").ackUnknown(20, "m", "r"));
  }

  @Test
  void deadLettersWithoutMessagesAreReported() {
    assertFound(
        life().acked(90, "m", "r3"), TopicEnd.drained(TOPIC, MAX_ATTEMPTS, 1), DEAD_LETTERS);
  }

  @Test
  void aMessageReceivedAfterItsAckIsReported() {
    assertFound(life().acked(90, "m", "r3").received(95, "m", "k", 3, "r4"), AFTER_ACK);
  }

  @Test
  void aReceiveUnderWayWhileTheAckIsAnsweredIsNoProof() {
    Story story =
        new Story()
            .sent(0, "k", "m")
            .received(10, "m", "k", 1, "r1")
            .received(at(1005, 1021), handed("m", "k", 2, "r2"))
            .acked(1015, "m", "r1");
    assertFound(story);
  }

  @Test
  void aMessageLeftOrDeadAfterItsAckIsReported() {
    Story story = life().acked(90, "m", "r3");
    assertFound(story, new TopicEnd(TOPIC, MAX_ATTEMPTS, Set.of("m"), Set.of("m"), 0), AFTER_ACK);
  }

  @Test
  void aMessageNobodySentIsReported() {
    assertFound(
        life().acked(90, "m", "r3").received(95, "x", "nobody", 1, "r4").acked(97, "x", "r4"),
        INVENTED);
  }

  @Test
  void aMessageWhoseSendWasRefusedIsReported() {
    assertFound(
        new Story().sendRefused(0, "k").received(10, "m", "k", 1, "r").acked(20, "m", "r"),
        INVENTED);
  }

  @Test
  void aMessageReceivedBeforeItWasSentIsReported() {
    assertFound(
        new Story().received(0, "m", "k", 1, "r").acked(10, "m", "r").sent(20, "k", "m"), INVENTED);
  }

  @Test
  void aPayloadThatWasNotSentIsReported() {
    Handed altered = new Handed("m", "k", "#other", 1, "r", null);
    assertFound(
        new Story().sent(0, "k", "m").received(at(10), altered).acked(20, "m", "r"), INVENTED);
  }

  @Test
  void anIdThatTheSendWasNotAnsweredWithIsReported() {
    assertFound(
        new Story()
            .sent(0, "k", "m")
            .received(10, "m", "k", 1, "r")
            .acked(20, "m", "r")
            .received(30, "other", "k", 1, "r2")
            .acked(40, "other", "r2"),
        DUPLICATE,
        INVENTED);
  }

  @Test
  void aWrongDuplicateIdIsReported() {
    assertFound(life().acked(90, "m", "r3").sentAgain(95, "k", "other"), DUPLICATE, LOST);
  }

  @Test
  void aSecondFirstIsReported() {
    assertFound(life().sent(85, "k", "m").sent(87, "k", "m").acked(90, "m", "r3"), DUPLICATE);
  }

  @Test
  void aDuplicateOfNothingIsReported() {
    assertFound(
        new Story().sentAgain(0, "k", "m").received(10, "m", "k", 1, "r").acked(20, "m", "r"),
        DUPLICATE);
  }

  /** A SEND from 0 to 100 that is answered as a duplicate, while a node dies. */
  private static Story repeated(long crash) {
    return new Story().sentAgain(at(0, 100), "k", "m").crashed(crash, crash + 10);
  }

  private static Story done(Story story) {
    return story.received(200, "m", "k", 1, "r").acked(210, "m", "r");
  }

  @Test
  void aSendUnderWayWhenANodeDiesCanBeItsOwnDuplicate() {
    assertFoundInCluster(done(repeated(50)));
    assertFoundInCluster(done(repeated(50).sentAgain(150, "k", "m")));
    assertFoundInCluster(done(repeated(50).sentAgain(at(65, 110), "k", "m")));
    assertFoundInCluster(done(repeated(50).sent(90, "k", "m")));
  }

  @Test
  void aSendThatNoNodesDeathMeetsIsNotItsOwnDuplicate() {
    assertFoundInCluster(done(repeated(101)), DUPLICATE);
    assertFoundInCluster(done(new Story().sentAgain(20, "k", "m").crashed(5, 15)), DUPLICATE);
  }

  @Test
  void aServerThatIsAloneRepeatsNoSend() {
    assertFound(done(repeated(50)), DUPLICATE);
  }

  @Test
  void aDuplicateBeforeTheSendThatWasRepeatedIsReported() {
    Story story = new Story().sentAgain(0, "k", "m").sentAgain(at(40, 100), "k", "m");
    assertFoundInCluster(done(story.crashed(50, 60)), DUPLICATE);
  }

  @Test
  void aSendThatIsItsOwnDuplicateLeavesNoOtherOneNew() {
    assertFoundInCluster(done(repeated(50).sent(150, "k", "m")), DUPLICATE);
  }

  @Test
  void aSendThatIsItsOwnDuplicateHasOneMessage() {
    assertFoundInCluster(repeated(50), LOST);
    Story second = done(repeated(50)).received(220, "n", "k", 1, "s").acked(230, "n", "s");
    assertFoundInCluster(second, DUPLICATE, INVENTED);
    Story other = repeated(50).received(220, "n", "k", 1, "s").acked(230, "n", "s");
    assertFoundInCluster(other, DUPLICATE, INVENTED, LOST);
  }

  @Test
  void aMessageThatIsItsOwnDuplicateIsOfOneKey() {
    assertFoundInCluster(done(repeated(50).sentAgain(at(0, 100), "l", "m")), DUPLICATE);
  }

  @Test
  void oneIdForTwoKeysIsReported() {
    Story story = new Story().sent(0, "k", "m").sent(5, "l", "m");
    assertFound(story.received(10, "m", "k", 1, "r").acked(20, "m", "r"), DUPLICATE);
  }

  @Test
  void aKeyIsFreeAgainAfterItsWindow() {
    Story story = new Story().sent(0, "k", "m").sent(20_000, "k", "n");
    story.received(30, "m", "k", 1, "r").acked(40, "m", "r");
    story.received(20_010, "n", "k", 1, "s").acked(20_020, "n", "s");
    assertFound(story);
  }

  /** Two messages of one key, the second sent at {@code again}; the first is acknowledged at 40. */
  private static Story usedAgain(long again) {
    return new Story()
        .sent(0, "k", "m")
        .received(30, "m", "k", 1, "r")
        .acked(40, "m", "r")
        .sent(again, "k", "n")
        .received(60, "n", "k", 1, "s")
        .acked(70, "n", "s");
  }

  @Test
  void aKeyThatEndsWithAnAckIsFreeAfterIt() {
    HistoryChecker checker = HistoryChecker.keysEndWithAck(1);
    assertFound(checker, usedAgain(50), EMPTY);
    assertFound(checker, usedAgain(40), EMPTY);
    assertFound(usedAgain(50), DUPLICATE);
  }

  @Test
  void aKeyThatEndsWithAnAckIsTakenUntilThen() {
    assertFound(HistoryChecker.keysEndWithAck(1), usedAgain(38), EMPTY, DUPLICATE);
  }

  @Test
  void twoLeasesAtOnceAreReported() {
    Story story = new Story().sent(0, "k", "m").received(10, "m", "k", 1, "r1");
    assertFound(story.received(900, "m", "k", 2, "r2").acked(910, "m", "r2"), TWO_LEASES);
  }

  @Test
  void aLeaseThatMayHaveEndedIsNoSecondLease() {
    Story story = new Story().sent(0, "k", "m").received(10, "m", "k", 1, "r1");
    assertFound(story.received(at(900, 1010), handed("m", "k", 2, "r2")).acked(1020, "m", "r2"));
  }

  @Test
  void anExtendedLeaseIsStillALease() {
    Story story =
        new Story().sent(0, "k", "m").received(10, "m", "k", 1, "r1").extended(500, "m", "r1");
    assertFound(story.received(1400, "m", "k", 2, "r2").acked(1410, "m", "r2"), TWO_LEASES);
  }

  @Test
  void anAttemptThatFallsIsReported() {
    Story story = life().nacked(90, "m", "r3").received(100, "m", "k", 1, "r4");
    assertFound(story.acked(110, "m", "r4"), ATTEMPT);
  }

  @Test
  void anAttemptThatIsRepeatedWithoutACrashIsReported() {
    Story story = life().nacked(90, "m", "r3").received(100, "m", "k", 2, "r4");
    assertFound(story.acked(110, "m", "r4"), ATTEMPT);
  }

  @Test
  void anAttemptThatIsLeftOutIsReportedUnlessAReceiveWentUnanswered() {
    Story story = new Story().sent(0, "k", "m").received(5000, "m", "k", 2, "r");
    assertFound(story.acked(5010, "m", "r"), ATTEMPT);
    assertFound(story.recvUnknown(at(10, 20)));
  }

  @Test
  void anUnansweredReceiveThatACrashEndedSpentNoAttempt() {
    Story story = new Story().sent(0, "k", "m").received(5000, "m", "k", 2, "r");
    story.recvUnknown(at(10, 20)).crashed(15, 25);
    assertFound(story.acked(5010, "m", "r"), ATTEMPT);
  }

  @Test
  void moreAttemptsThanAllowedAreReported() {
    Story story = new Story().sent(0, "k", "m");
    for (int attempt = 1; attempt <= MAX_ATTEMPTS + 1; attempt++) {
      story.received(attempt * 2000L, "m", "k", attempt, "r" + attempt);
    }
    assertFound(story.acked(8100, "m", "r4"), ATTEMPT);
  }

  /** Three messages, of which the last two were handed out; one of them may overtake the first. */
  private static Story overtaken() {
    return new Story()
        .sent(0, "a", "a")
        .sent(0, "b", "b")
        .sent(0, "c", "c")
        .receivedInPlace(10, "b", 2)
        .receivedInPlace(20, "c", 3);
  }

  private static Story settled(Story story) {
    return story.acked(90, "a", "ra").acked(90, "b", "rb").acked(90, "c", "rc");
  }

  @Test
  void tooManyMessagesThatOvertakeOneAreReported() {
    assertFound(settled(overtaken().receivedInPlace(30, "a", 1)), ORDER);
  }

  @Test
  void asManyMessagesMayOvertakeOneAsAreAllowed() {
    Story story = new Story().sent(0, "a", "a").sent(0, "b", "b").sent(0, "c", "c");
    story.receivedInPlace(10, "b", 2).receivedInPlace(20, "a", 1).receivedInPlace(30, "c", 3);
    assertFound(settled(story));
  }

  @Test
  void concurrentReceivesHaveNoOrder() {
    Handed first = new Handed("a", "a", "#a", 1, "ra", new Event.ShardPlace(0, 1));
    assertFound(settled(overtaken().received(at(15, 40), first)));
  }

  @Test
  void aDelayedMessageHasNoOrder() {
    assertFound(settled(overtaken().received(30, "a", "a", 1, "ra")));
  }

  @Test
  void aCrashDoesNotExcuseMessagesThatOvertookOneBefore() {
    assertFound(settled(overtaken().crashed(22, 25).receivedInPlace(30, "a", 1)), ORDER);
  }

  @Test
  void anUnansweredReceiveMayHaveHadTheMessage() {
    assertFound(settled(overtaken().recvUnknown(at(5, 6)).receivedInPlace(30, "a", 1)));
  }

  @Test
  void anUnansweredReceiveBeforeACrashExcusesNothingAfterIt() {
    Story story = overtaken().recvUnknown(at(1, 2)).crashed(3, 4).receivedInPlace(30, "a", 1);
    assertFound(settled(story), ORDER);
  }

  @Test
  void anUnansweredReceiveGoesOnWhereOnlyLeasesAreLost() {
    Story story = overtaken().recvUnknown(at(1, 2)).lostLeases(3, 4).receivedInPlace(30, "a", 1);
    assertFound(settled(story));
  }

  @Test
  void lostLeasesExcuseNoDisorder() {
    assertFound(settled(overtaken().lostLeases(3, 4).receivedInPlace(30, "a", 1)), ORDER);
  }

  @Test
  void aMessageWhoseLeaseIsLostComesAgainWithTheSameAttempt() {
    Story story = new Story().sent(0, "k", "m").received(10, "m", "k", 1, "r1");
    story.received(30, "m", "k", 1, "r2").acked(40, "m", "r2");
    assertFound(story, TWO_LEASES, ATTEMPT);
    assertFound(story.lostLeases(15, 20));
  }

  @Test
  void anUnansweredReceiveMaySpendItsAttemptAfterLeasesWereLost() {
    Story story = new Story().sent(0, "k", "m").received(5000, "m", "k", 2, "r");
    story.recvUnknown(at(10, 20)).lostLeases(15, 25);
    assertFound(story.acked(5010, "m", "r"));
  }

  private static void assertFoundInCluster(Story story, Kind... kinds) {
    assertFound(HistoryChecker.ofCluster(Duration.ofSeconds(10), 1), story, EMPTY, kinds);
  }

  private static void assertFound(Story story, Kind... kinds) {
    assertFound(story, EMPTY, kinds);
  }

  private static void assertFound(Story story, TopicEnd end, Kind... kinds) {
    assertFound(new HistoryChecker(Duration.ofSeconds(10), 1), story, end, kinds);
  }

  private static void assertFound(
      HistoryChecker checker, Story story, TopicEnd end, Kind... kinds) {
    List<Violation> found = checker.check(story.end(), List.of(end));
    TreeSet<Kind> kindsFound = new TreeSet<>();
    found.forEach(violation -> kindsFound.add(violation.kind()));
    assertEquals(new TreeSet<>(List.of(kinds)), kindsFound, found::toString);
  }
}
