package org.svcmailbox.core.redrive.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.redrive.JobError;
import org.svcmailbox.core.redrive.action.ActionResult;

/** Decides after an action how far its job may advance. It counts attempts; one per job. */
final class BatchReview {
  /** How often a letter that the broker does not deliver is tried. */
  private static final int MAX_TRIES = 30;

  private LetterPosition tried = LetterPosition.FIRST;
  private int tries;

  /** The letters still in the queue; read only if some are unaccounted for. */
  interface Queue {
    Set<LetterPosition> read();
  }

  /**
   * How far a job may advance.
   *
   * @param gone letters that are only in the index
   * @param waitingFor null unless the next letter must be tried again
   */
  record ReviewedBatch(
      LetterPosition reached,
      List<JobError> errors,
      Set<LetterPosition> gone,
      @Nullable String waitingFor) {}

  ReviewedBatch review(LetterPosition start, LetterBatch batch, ActionResult result, Queue queue) {
    boolean isComplete =
        batch.letters().stream()
            .map(DeadLetter::position)
            .allMatch(it -> result.moved().contains(it) || result.failed().containsKey(it));
    Set<LetterPosition> queued = isComplete ? Set.of() : queue.read();
    LetterPosition reached = start;
    List<JobError> errors = new ArrayList<>();
    Set<LetterPosition> gone = new HashSet<>();
    for (DeadLetter letter : batch.letters()) {
      LetterPosition position = letter.position();
      String error = result.failed().get(position);
      if (error == null && queued.contains(position) && !result.moved().contains(position)) {
        if (result.refusal() != null) {
          return new ReviewedBatch(reached, errors, gone, result.refusal());
        }
        if (countTry(position) < MAX_TRIES) {
          return new ReviewedBatch(reached, errors, gone, "a letter is held elsewhere");
        }
        error = "the broker counts it but does not deliver it; reprocess it again later";
      }
      if (error != null) {
        errors.add(new JobError(letter.msgId(), error));
      } else if (!result.moved().contains(position)) {
        gone.add(position);
      }
      reached = position;
    }
    return new ReviewedBatch(reached, errors, gone, null);
  }

  private int countTry(LetterPosition position) {
    tries = tried.equals(position) ? tries + 1 : 1;
    tried = position;
    return tries;
  }
}
