package org.svcmailbox.core.redrive.run;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.mailbox.RedriveTarget;
import org.svcmailbox.core.redrive.PendingAction;
import org.svcmailbox.core.redrive.action.ActionResult;
import org.svcmailbox.core.redrive.action.LetterAction;
import org.svcmailbox.core.topic.Topic;

/**
 * Runs the action of a batch: stage, save, commit. The row names the letters on disk before they
 * can move, so a recovery counts exactly those that have left their queue.
 */
record ActionRunner(TrackedJob job, RedriveTarget target) {
  ActionResult run(LetterBatch batch, Topic topic) {
    ActionResult result;
    try (LetterAction.TakenLetters taken = batch.action().take(batch.letters())) {
      result =
          batch.action().needsSteadyTopic()
              ? target.whileSteady(
                  topic.name(), steady -> stageSaveCommit(taken, batch.segment(), steady))
              : stageSaveCommit(taken, batch.segment(), topic);
    }
    target.arrived(result.shards());
    return result;
  }

  private ActionResult stageSaveCommit(
      LetterAction.TakenLetters taken, int segment, @Nullable Topic topic) {
    Set<LetterPosition> staged = taken.stage(topic);
    if (!staged.isEmpty()) {
      job.savePending(new PendingAction(segment, staged));
    }
    return taken.commit();
  }
}
