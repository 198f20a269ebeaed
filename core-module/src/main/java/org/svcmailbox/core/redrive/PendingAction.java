package org.svcmailbox.core.redrive;

import java.util.Set;
import org.svcmailbox.core.deadletter.LetterPosition;

/**
 * Letters of one queue that a job was about to move. Once no transaction holds letters of the
 * queue, those no longer in it have moved.
 */
public record PendingAction(int segment, Set<LetterPosition> positions) {
  public static final PendingAction NONE = new PendingAction(0, Set.of());

  public PendingAction {
    positions = Set.copyOf(positions);
  }
}
