package org.svcmailbox.core.redrive;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.deadletter.LetterQueues;
import org.svcmailbox.core.deadletter.Place;
import org.svcmailbox.core.delivery.Readmission;
import org.svcmailbox.core.delivery.Ticker;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Topic;

/**
 * A job under way. A turn moves some letters of one queue, oldest first, in one transaction:
 *
 * <ol>
 *   <li>the index says which letters come next;
 *   <li>they are taken, and what is to become of them is staged;
 *   <li>the job's row says that these are about to be moved, on disk;
 *   <li>the transaction is committed, and the index forgets them.
 * </ol>
 *
 * <p>After a crash, or when the broker's answer is in doubt, the queue tells: of the letters in the
 * row those that are not in the queue any more have been moved. Any thread, one at a time.
 */
final class JobRun {
  private static final Logger LOG = System.getLogger(JobRun.class.getName());

  /** Letters of one transaction, and turns of a second: what others have to wait for. */
  private static final int AT_ONCE = 100;

  private static final int TURNS = 5;
  private static final Duration LATER = Duration.ofSeconds(1);

  /** How often a letter is tried that somebody else has in his hands. */
  private static final int TRIES = 30;

  /** What jobs stand on. */
  record Ports(
      LetterIndex index,
      LetterQueues queues,
      LetterMover mover,
      Readmission readmission,
      JobStore store,
      MovedLetters counts,
      InstantSource wall,
      Ticker ticker) {}

  private final Ports ports;
  private volatile Job job;
  private volatile @Nullable String waitingFor;
  private boolean inDoubt = true;
  private Place stuckAt = Place.FIRST;
  private int tries;

  /** A job that goes on from where it stands. */
  JobRun(Job job, Ports ports) {
    this.job = job;
    this.ports = ports;
  }

  /** How it stands; waits for no turn. */
  RedriveService.Status status() {
    Job now = job;
    boolean isWaiting = now.progress().state() == JobState.RUNNING;
    return new RedriveService.Status(now, isWaiting ? waitingFor : null);
  }

  /**
   * Finds out which letters it has moved, where that is not known. Until that is done no other job
   * may move any, or it would be taken for this one's doing.
   *
   * @return whether it is known
   */
  synchronized boolean settle() {
    try {
      settleDoubt();
      return true;
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, () -> "Job " + job.id() + " is in doubt", e);
      waitingFor = String.valueOf(e.getMessage());
      return false;
    }
  }

  /**
   * Brings it into another state; on disk, with the audit's entry, when this returns.
   *
   * @throws UnavailableException when the broker or the database is away
   */
  synchronized void become(JobState state, AuditEntry entry) {
    settleDoubt();
    if (job.progress().state().isOver() || job.progress().state() == state) {
      return;
    }
    Job changed = job.with(job.progress().in(state, now()));
    ports.store().save(changed, entry);
    job = changed;
  }

  /**
   * Moves some letters.
   *
   * @return after how long the next turn is due; empty when there will be none for now
   */
  synchronized Optional<Duration> turn() {
    if (job.progress().state() != JobState.RUNNING) {
      return Optional.empty();
    }
    long begun = ports.ticker().nanos();
    try {
      waitingFor = null;
      Optional<Duration> pace = step();
      return pace.map(wanted -> left(wanted, begun));
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, () -> "Job " + job.id() + " waits", e);
      inDoubt = true;
      return later(String.valueOf(e.getMessage()));
    } catch (Error e) {
      // The thread dies of it; the next one has to find out what was moved.
      inDoubt = true;
      throw e;
    }
  }

  /** Ends a job that a defect keeps from going on. */
  synchronized void fail(String why) {
    end(job.progress().failed(why, now()));
  }

  private Duration left(Duration wanted, long begun) {
    Duration left = wanted.minusNanos(ports.ticker().nanos() - begun);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private Optional<Duration> later(String why) {
    waitingFor = why;
    return Optional.of(LATER);
  }

  private Optional<Duration> step() {
    Optional<Topic> topic = ports.readmission().topic(topicName());
    if (topic.isEmpty()) {
      end(job.progress().failed("the topic is gone", now()));
      return Optional.empty();
    }
    int most = Math.min(AT_ONCE, Math.max(1, job.order().rate() / TURNS));
    List<DeadLetter> ahead = ahead(most);
    if (ahead.isEmpty()) {
      end(job.progress().in(JobState.DONE, now()));
      return Optional.empty();
    }
    Move way = way(ahead.get(0), topic.get());
    List<DeadLetter> batch =
        ahead.stream()
            .takeWhile(
                letter ->
                    letter.segment() == ahead.get(0).segment()
                        && way(letter, topic.get()).equals(way))
            .toList();
    if (way instanceof BringingBack && !ports.readmission().hasRoom(topic.get(), batch.size())) {
      return later(
          "the topic holds as much as retention_ready_count and retention_ready_bytes allow");
    }
    return move(batch, way);
  }

  private List<DeadLetter> ahead(int most) {
    Place reached = job.progress().reached();
    if (job.order().selection() instanceof Selection.Chosen chosen) {
      List<Place> left =
          chosen.places().stream().filter(place -> place.compareTo(reached) > 0).toList();
      return ports.index().at(topicName(), left).stream().limit(most).toList();
    }
    if (job.order().selection() instanceof Selection.Due due) {
      return ports.index().due(topicName(), due.times(), reached, job.end(), most);
    }
    Selection.Matching matching = (Selection.Matching) job.order().selection();
    return ports.index().ahead(topicName(), matching.filter(), reached, job.end(), most);
  }

  private Move way(DeadLetter letter, Topic topic) {
    JobOrder order = job.order();
    if (order.action() == JobAction.DISCARD) {
      return new Discarding(ports.mover());
    }
    if (order.toTopic() == null && BringingBack.hasHome(letter, topic)) {
      return new BringingBack(ports.mover(), ports.readmission(), ports.wall());
    }
    TopicName to = order.toTopic() == null ? topic.name() : order.toTopic();
    return new SendingAnew(ports.mover(), ports.readmission(), to, ports.wall());
  }

  private Optional<Duration> move(List<DeadLetter> batch, Move way) {
    int segment = batch.get(0).segment();
    Moved moved =
        way.move(batch, places -> keep(job.progress().about(new UnderWay(segment, places), now())));
    settle(moved.moved());
    return conclude(batch, moved);
  }

  private void keep(JobProgress progress) {
    Job changed = job.with(progress);
    ports.store().save(changed);
    job = changed;
  }

  private void settle(Collection<Place> moved) {
    job = job.with(job.progress().settled(moved.size(), now()));
    ports.counts().moved(job.order().action(), moved.size());
    ports.index().remove(moved);
    ports.readmission().lettersLeft(topicName());
  }

  /** Goes behind every letter of a batch, up to the first that is to be tried again. */
  private Optional<Duration> conclude(List<DeadLetter> batch, Moved moved) {
    List<JobError> errors = new ArrayList<>();
    Place upTo = job.progress().reached();
    Optional<String> stuck = Optional.empty();
    Set<Place> there = null;
    for (DeadLetter letter : batch) {
      Place place = letter.place();
      if (!moved.moved().contains(place)) {
        String why = moved.failed().get(place);
        if (why == null) {
          there = there == null ? there(batch.get(0).segment()) : there;
          if (there.contains(place)) {
            stuck = stuck(letter, moved, errors);
            if (stuck.isPresent()) {
              break;
            }
          } else {
            ports.index().remove(Set.of(place));
          }
        } else {
          errors.add(new JobError(letter.msgId(), why));
        }
      }
      upTo = place;
    }
    job = job.with(job.progress().upTo(upTo, errors, now()));
    ports.counts().failed(errors.size());
    return stuck.isPresent() ? later(stuck.get()) : Optional.of(pace(batch.size()));
  }

  /** What to wait for; empty when this letter is waited for no longer. */
  private Optional<String> stuck(DeadLetter letter, Moved moved, List<JobError> errors) {
    if (moved.refusal() != null) {
      return Optional.of(moved.refusal());
    }
    tries = stuckAt.equals(letter.place()) ? tries + 1 : 1;
    stuckAt = letter.place();
    if (tries < TRIES) {
      return Optional.of("a letter is in other hands");
    }
    errors.add(new JobError(letter.msgId(), "the broker does not hand it out"));
    return Optional.empty();
  }

  private Set<Place> there(int segment) {
    return ports.queues().browse(topicName(), segment).stream()
        .map(DeadLetter::place)
        .collect(Collectors.toSet());
  }

  private Duration pace(int letters) {
    return Duration.ofSeconds(1).multipliedBy(letters).dividedBy(job.order().rate());
  }

  /** Of what was about to be moved, the queue tells what was. */
  private void settleDoubt() {
    if (!inDoubt) {
      return;
    }
    UnderWay underWay = job.progress().underWay();
    if (!underWay.places().isEmpty()) {
      Set<Place> moved = new HashSet<>(underWay.places());
      moved.removeAll(there(underWay.segment()));
      settle(moved);
      ports
          .readmission()
          .topic(topicName())
          .ifPresent(topic -> ports.readmission().arrived(topic.shards()));
    }
    inDoubt = false;
  }

  private void end(JobProgress last) {
    Job ended = job.with(last);
    String result =
        "%s: %d of %d done, %d failed, %d gone%s"
            .formatted(
                last.state().text(),
                last.done(),
                ended.total(),
                last.failed(),
                ended.gone(),
                last.ending() == null ? "" : "; " + last.ending());
    AuditEntry entry =
        new AuditEntry(now(), AuditEntry.SERVICE, "", "dlq.job.end", job.id().value(), result);
    ports.store().save(ended, entry);
    job = ended;
    LOG.log(
        Level.INFO,
        "Job {0}, {1} of {2}: {3}",
        job.id(),
        job.order().action().text(),
        topicName(),
        result);
  }

  private TopicName topicName() {
    return job.order().topic();
  }

  private Instant now() {
    return ports.wall().instant();
  }
}
