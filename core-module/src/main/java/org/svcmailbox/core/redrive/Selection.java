package org.svcmailbox.core.redrive;

import java.util.List;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.Place;

/** Which letters of a topic a job is about. */
public sealed interface Selection {
  /** The most letters that are named one by one. */
  int MOST_CHOSEN = 1_000;

  /** Those that a filter means. */
  record Matching(LetterFilter filter) implements Selection {}

  /**
   * Those that a topic's policy brings back.
   *
   * @param times only what was brought back fewer times
   */
  record Due(int times) implements Selection {}

  /**
   * These.
   *
   * @param places in order, at most {@link #MOST_CHOSEN}
   */
  record Chosen(List<Place> places) implements Selection {
    public Chosen {
      places = places.stream().sorted().distinct().toList();
      if (places.size() > MOST_CHOSEN) {
        throw new IllegalArgumentException(places.size() + " letters");
      }
    }
  }
}
