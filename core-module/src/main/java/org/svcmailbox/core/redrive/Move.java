package org.svcmailbox.core.redrive;

import java.util.List;
import java.util.Set;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.Place;

/** A way to move letters out of their queue. */
@FunctionalInterface
interface Move {
  /** Who is told which letters are about to be moved, and has that on disk when it returns. */
  @FunctionalInterface
  interface Plan {
    /** These are about to be moved; told at most once, and not at all when there are none. */
    void about(Set<Place> places);
  }

  /**
   * Moves letters of one queue.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException when it is not known which were moved
   */
  Moved move(List<DeadLetter> letters, Plan plan);
}
