package org.svcmailbox.core.redrive;

import java.util.Set;
import org.svcmailbox.core.deadletter.LetterPosition;

/** Letters of one queue that a job was about to move; those no longer in the queue have moved. */
public record PendingAction(int segment, Set<LetterPosition> positions) {
  public static final PendingAction NONE = new PendingAction(0, Set.of());

  public PendingAction {
    positions = Set.copyOf(positions);
  }
}
