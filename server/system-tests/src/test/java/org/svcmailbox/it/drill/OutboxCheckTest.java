package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.drill.WrittenEvent.Fate;

/** Each violation of a history is found. */
class OutboxCheckTest {
  private final Map<String, WrittenEvent> written =
      new HashMap<>(
          Map.of(
              "done", new WrittenEvent("o", 200, Fate.COMMITTED),
              "poison", new WrittenEvent("o", 422, Fate.COMMITTED),
              "gone", new WrittenEvent("o", 200, Fate.ROLLED_BACK),
              "there", new WrittenEvent("o", 200, Fate.UNKNOWN),
              "away", new WrittenEvent("o", 200, Fate.UNKNOWN)));
  private final Map<String, List<Integer>> answers =
      new HashMap<>(
          Map.of(
              "done", List.of(OutboxHandler.CUT, 200),
              "poison", List.of(503, 422),
              "there", List.of(200, 200)));
  private final Set<String> recorded = new HashSet<>(Set.of("done", "poison", "there"));
  private final Set<String> published = new HashSet<>(recorded);
  private final Set<String> processed = new HashSet<>(Set.of("done", "there"));
  private List<String> told = List.of("poison");
  private List<String> letters = List.of("poison");

  private List<String> violations() {
    return OutboxCheck.violations(
        written, answers, new OutboxEnd(recorded, published, processed, told, letters));
  }

  private void assertViolated(String what) {
    assertEquals(1, violations().size(), violations()::toString);
    assertTrue(violations().get(0).contains(what), violations()::toString);
  }

  @Test
  void aHistoryWithoutFaultsHasNoViolation() {
    assertEquals(List.of(), violations());
  }

  @Test
  void aCommittedEventThatNobodyHandledIsFound() {
    answers.put("done", List.of(OutboxHandler.CUT));
    assertViolated("is not handled");
  }

  @Test
  void aCommittedEventThatTheDatabaseLostIsFound() {
    recorded.remove("done");
    answers.remove("done");
    assertViolated("is not in the outbox");
  }

  @Test
  void anEventThatStaysUnpublishedIsFound() {
    published.remove("there");
    assertViolated("is not published");
  }

  @Test
  void anEventThatWasRolledBackAndSeenIsFound() {
    answers.put("gone", List.of(503));
    assertViolated("was handled and is not in the outbox");
  }

  @Test
  void anEventThatWasRolledBackAndRecordedIsFound() {
    recorded.add("gone");
    published.add("gone");
    processed.add("gone");
    answers.put("gone", List.of(200));
    assertViolated("is in the outbox");
  }

  @Test
  void anEventOfAnUnknownCommitThatIsSeenWithoutARowIsFound() {
    answers.put("away", List.of(200));
    assertViolated("was handled and is not in the outbox");
  }

  @Test
  void aCommitWithoutAnAnswerWhoseEventIsLostIsFound() {
    answers.remove("there");
    assertViolated("is not handled");
  }

  @Test
  void anInboxThatForgotIsFound() {
    processed.remove("done");
    assertViolated("has the wrong end in the inbox");
  }

  @Test
  void poisonThatCountsAsProcessedIsFound() {
    processed.add("poison");
    assertViolated("has the wrong end in the inbox");
  }

  @Test
  void poisonThatIsTwoDeadLettersIsFound() {
    letters = List.of("poison", "poison");
    assertViolated("is 2 dead letters");
  }

  @Test
  void poisonThatIsNoDeadLetterIsFound() {
    letters = List.of();
    assertViolated("is 0 dead letters");
  }

  @Test
  void poisonThatNobodyToldOfIsFound() {
    told = List.of();
    assertViolated("is told dead 0 times");
  }

  @Test
  void poisonThatIsToldTwiceIsFound() {
    told = List.of("poison", "poison");
    assertViolated("is told dead 2 times");
  }

  @Test
  void aProcessedEventThatIsADeadLetterTooIsFound() {
    letters = List.of("poison", "done");
    assertViolated("is 1 dead letters");
  }

  @Test
  void whatNobodyWroteIsFound() {
    answers.put("invented", List.of(200));
    assertViolated("was never written");
  }

  @Test
  void aLetterThatNobodyWroteIsFound() {
    letters = List.of("poison", "invented");
    assertViolated("is a letter, never written");
  }
}
