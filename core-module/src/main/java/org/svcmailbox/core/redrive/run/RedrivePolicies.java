package org.svcmailbox.core.redrive.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.RedriveTarget;
import org.svcmailbox.core.redrive.JobAction;
import org.svcmailbox.core.redrive.JobSpec;
import org.svcmailbox.core.redrive.Selection;
import org.svcmailbox.core.settings.RedrivePolicy;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.Topic;

/** Starts the jobs of topics whose policy redrives letters. One thread at a time. */
final class RedrivePolicies {
  /**
   * The shortest time between two turns of one topic; a quarter of the policy's age if that is
   * longer.
   */
  private static final Duration MIN_PAUSE = Duration.ofMinutes(1);

  private final LetterIndex index;
  private final RedriveTarget target;
  private final JobSchedule schedule;
  private final JobStarter starter;
  private final InstantSource wall;
  private final Ticker ticker;
  private final Map<TopicName, Long> due = new HashMap<>();

  RedrivePolicies(
      LetterIndex index,
      RedriveTarget target,
      JobSchedule schedule,
      JobStarter starter,
      Redrive.Sources sources) {
    this.index = index;
    this.target = target;
    this.schedule = schedule;
    this.starter = starter;
    this.wall = sources.wall();
    this.ticker = sources.ticker();
  }

  /** Starts a job for every topic that is due and has no such job, as long as there is room. */
  void apply() {
    for (Topic topic : target.topics()) {
      RedrivePolicy policy = topic.settings().redrive();
      if (policy != null
          && schedule.hasRoomForNew(topic.name())
          && !hasJob(topic.name())
          && takeTurn(topic.name(), policy)) {
        start(topic.name(), policy);
      }
    }
    due.keySet().removeIf(topic -> target.topic(topic).isEmpty());
  }

  private boolean hasJob(TopicName topic) {
    return schedule.runs().stream()
        .map(run -> run.status().job().spec())
        .anyMatch(spec -> spec.topic().equals(topic) && spec.selection() instanceof Selection.Due);
  }

  /** Returns whether a topic is due. If so, its next turn follows after a pause. */
  private boolean takeTurn(TopicName topic, RedrivePolicy policy) {
    long now = ticker.nanos();
    Long next = due.get(topic);
    if (next != null && next - now > 0) {
      return false;
    }
    Duration pause = policy.after().dividedBy(4);
    due.put(topic, now + (pause.compareTo(MIN_PAUSE) > 0 ? pause : MIN_PAUSE).toNanos());
    return true;
  }

  private void start(TopicName topic, RedrivePolicy policy) {
    Instant now = wall.instant();
    LetterPosition first = LetterPosition.FIRST;
    LetterPosition end = LetterPosition.before(now.minus(policy.after()));
    if (index.due(topic, policy.times(), first, end, 1).isEmpty()) {
      return;
    }
    Selection selection = new Selection.Due(policy.times());
    JobSpec spec =
        new JobSpec(
            topic,
            JobAction.REDRIVE,
            selection,
            starter.rate(),
            null,
            null,
            null,
            "the topic's policy");
    SelectedLetters selected =
        new SelectedLetters(
            selection, end, index.countDue(topic, policy.times(), first, end), List::of);
    AuditEntry who = new AuditEntry(now, Actor.SERVICE, "", JobStarter.ACTION, "", "");
    JobRun unused = starter.start(spec, selected, who);
  }
}
