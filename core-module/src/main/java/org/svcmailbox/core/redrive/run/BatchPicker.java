package org.svcmailbox.core.redrive.run;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.RedriveTarget;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobAction;
import org.svcmailbox.core.redrive.JobSpec;
import org.svcmailbox.core.redrive.LetterMover;
import org.svcmailbox.core.redrive.Selection;
import org.svcmailbox.core.redrive.action.DiscardLetters;
import org.svcmailbox.core.redrive.action.LetterAction;
import org.svcmailbox.core.redrive.action.RedriveAsNew;
import org.svcmailbox.core.redrive.action.RedriveInPlace;
import org.svcmailbox.core.topic.Topic;

/** Picks the next letters of a job from the index. */
record BatchPicker(LetterIndex index, LetterMover mover, RedriveTarget target, InstantSource wall) {
  /** Bounds one transaction, since other jobs and callers wait for it. */
  private static final int MAX_BATCH = 100;

  private static final int TURNS_PER_SECOND = 5;

  /** The next batch; empty if the job has reached every letter. */
  Optional<LetterBatch> next(Job job, Topic topic) {
    int limit = Math.min(MAX_BATCH, Math.max(1, job.spec().rate() / TURNS_PER_SECOND));
    List<DeadLetter> ahead = ahead(job, job.untilHeld(limit));
    if (ahead.isEmpty()) {
      return Optional.empty();
    }
    DeadLetter first = ahead.get(0);
    LetterAction action = action(job, first, topic);
    List<DeadLetter> alike =
        ahead.stream()
            .takeWhile(
                letter ->
                    letter.segment() == first.segment()
                        && action(job, letter, topic).equals(action))
            .toList();
    return Optional.of(new LetterBatch(alike, action));
  }

  private List<DeadLetter> ahead(Job job, int limit) {
    TopicName topic = job.spec().topic();
    LetterPosition reached = job.progress().reached();
    if (job.spec().selection() instanceof Selection.Chosen chosen) {
      List<LetterPosition> left =
          chosen.positions().stream().filter(position -> position.compareTo(reached) > 0).toList();
      return index.at(topic, left).stream().limit(limit).toList();
    }
    if (job.spec().selection() instanceof Selection.Due due) {
      return index.due(topic, due.times(), reached, job.end(), limit);
    }
    Selection.Matching matching = (Selection.Matching) job.spec().selection();
    return index.ahead(topic, matching.filter(), reached, job.end(), limit);
  }

  private LetterAction action(Job job, DeadLetter letter, Topic topic) {
    JobSpec spec = job.spec();
    String note = job.id().note(job.startedBy());
    if (spec.action() == JobAction.DISCARD) {
      return new DiscardLetters(mover);
    }
    if (spec.toTopic() != null) {
      return new RedriveAsNew(mover, target, spec.toTopic(), spec.ttl(), note, wall);
    }
    return RedriveInPlace.isShardReady(letter, topic)
        ? new RedriveInPlace(mover, spec.ttl(), note, wall)
        : new RedriveAsNew(mover, target, topic.name(), spec.ttl(), note, wall);
  }
}
