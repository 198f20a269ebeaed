package org.svcmailbox.core.redrive.run;

import java.util.List;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.redrive.action.LetterAction;

/** Letters of one queue, oldest first, and the action for them. */
record LetterBatch(List<DeadLetter> letters, LetterAction action) {
  int segment() {
    return letters.get(0).segment();
  }

  int size() {
    return letters.size();
  }
}
