package org.svcmailbox.core.redrive.run;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.deadletter.LetterQueues;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.RedriveTarget;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.JobSpec;

/** Records in index, metrics and topic that letters have moved. */
record LetterBookkeeping(
    LetterIndex index, LetterQueues queues, RedriveTarget target, JobLetterCounts counts) {

  /** The letters that are in a queue now, whatever the index says. */
  Set<LetterPosition> queued(TopicName topic, int segment) {
    return queues.browse(topic, segment).stream()
        .map(DeadLetter::position)
        .collect(Collectors.toSet());
  }

  /**
   * As above, but certain. Absence alone proves nothing, because an open transaction may still
   * return a letter.
   *
   * @throws UnavailableException while a transaction holds letters of the queue
   */
  Set<LetterPosition> resolved(TopicName topic, int segment) {
    queues.requireResolved(topic, segment);
    return queued(topic, segment);
  }

  void moved(JobSpec spec, Collection<LetterPosition> letters) {
    counts.moved(spec.action(), letters.size());
    index.remove(letters);
    target.lettersRemoved(spec.topic());
  }

  void concluded(BatchReview.ReviewedBatch verdict) {
    index.remove(verdict.gone());
    counts.failed(verdict.errors().size());
  }
}
