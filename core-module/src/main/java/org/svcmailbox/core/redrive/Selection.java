package org.svcmailbox.core.redrive;

import java.util.List;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterPosition;

/** The letters of a topic that a job covers. */
public sealed interface Selection {
  int MOST_CHOSEN = 1_000;

  /** Letters that match a filter. */
  record Matching(LetterFilter filter) implements Selection {}

  /** Letters that a topic's policy redrives: those redriven fewer than {@code times} times. */
  record Due(int times) implements Selection {}

  /** Letters chosen by id, sorted; at most {@link #MOST_CHOSEN}. */
  record Chosen(List<LetterPosition> positions) implements Selection {
    public Chosen {
      positions = positions.stream().sorted().distinct().toList();
      if (positions.size() > MOST_CHOSEN) {
        throw new IllegalArgumentException(positions.size() + " letters");
      }
    }
  }
}
