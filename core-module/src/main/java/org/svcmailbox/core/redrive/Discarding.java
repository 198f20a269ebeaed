package org.svcmailbox.core.redrive;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.Place;

/** Removes letters for good. */
record Discarding(LetterMover mover) implements Move {
  @Override
  public Moved move(List<DeadLetter> letters, Plan plan) {
    DeadLetter first = letters.get(0);
    List<Place> places = letters.stream().map(DeadLetter::place).toList();
    try (LetterMover.Transaction taken = mover.take(first.topic(), first.segment(), places)) {
      Set<Place> there = taken.letters().keySet();
      if (!there.isEmpty()) {
        there.forEach(taken::discard);
        plan.about(there);
        taken.commit();
      }
      return new Moved(there, Map.of(), null);
    }
  }
}
