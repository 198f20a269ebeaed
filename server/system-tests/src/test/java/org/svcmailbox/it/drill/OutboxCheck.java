package org.svcmailbox.it.drill;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.svcmailbox.it.drill.WrittenEvent.Fate;

/**
 * Judges the fate of events. Committed ones are handled, rolled-back ones are never seen, those
 * whose commit had no answer are one or the other, and poison is one dead letter.
 */
final class OutboxCheck {
  private final Map<String, WrittenEvent> written;
  private final Map<String, List<Integer>> answers;
  private final OutboxEnd end;
  private final List<String> violations = new ArrayList<>();

  private OutboxCheck(
      Map<String, WrittenEvent> written, Map<String, List<Integer>> answers, OutboxEnd end) {
    this.written = written;
    this.answers = answers;
    this.end = end;
  }

  /**
   * Judges a history, and returns its violations.
   *
   * @param written what the application recorded, by id
   * @param answers the handler's answers to each event
   */
  static List<String> violations(
      Map<String, WrittenEvent> written, Map<String, List<Integer>> answers, OutboxEnd end) {
    OutboxCheck check = new OutboxCheck(written, answers, end);
    written.forEach(check::event);
    answers.keySet().forEach(id -> check.require(written.containsKey(id), id, "was never written"));
    end.letters()
        .forEach(id -> check.require(written.containsKey(id), id, "is a letter, never written"));
    return check.violations;
  }

  private void require(boolean holds, String id, String what) {
    if (!holds) {
      violations.add(id + " " + written.get(id) + " " + what + "; answers " + answers.get(id));
    }
  }

  private void event(String id, WrittenEvent event) {
    boolean isRecorded = end.recorded().contains(id);
    require(isRecorded || event.fate() != Fate.COMMITTED, id, "is not in the outbox");
    require(!isRecorded || event.fate() != Fate.ROLLED_BACK, id, "is in the outbox");
    if (isRecorded) {
      recorded(id, event);
    } else {
      require(!answers.containsKey(id), id, "was handled and is not in the outbox");
    }
  }

  private void recorded(String id, WrittenEvent event) {
    boolean isPoison = event.answer() == WrittenEvent.POISON;
    require(end.published().contains(id), id, "is not published");
    require(answers.getOrDefault(id, List.of()).contains(event.answer()), id, "is not handled");
    require(end.processed().contains(id) != isPoison, id, "has the wrong end in the inbox");
    int expected = isPoison ? 1 : 0;
    int letters = Collections.frequency(end.letters(), id);
    require(letters == expected, id, "is " + letters + " dead letters");
    int told = Collections.frequency(end.told(), id);
    require(told == expected, id, "is told dead " + told + " times");
  }
}
