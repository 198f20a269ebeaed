package org.svcmailbox.core.batch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.ProjectionLane.ConfirmedBatch;
import org.svcmailbox.core.batch.ProjectionStore.Advance;

/**
 * The batches of one projection transaction. The lane with the oldest batch comes first, and no
 * lane gets more than its share while others wait. The pages of a ledger keep the order of their
 * numbers, whichever logs they come from. Pure.
 */
final class ProjectionPlan {
  /** A lane's part in the transaction. */
  private static final class LaneCursor {
    private final ProjectionLane lane;
    private final Iterator<ConfirmedBatch> pending;
    private final List<Batch> taken = new ArrayList<>();
    private @Nullable Batch next;

    LaneCursor(ProjectionLane lane) {
      this.lane = lane;
      this.pending = lane.pending().iterator();
      advance();
    }

    private void advance() {
      next = pending.hasNext() ? pending.next().batch() : null;
    }

    private void take(Batch batch) {
      taken.add(batch);
      advance();
    }
  }

  private final Collection<ProjectionLane> lanes;
  private final boolean isReplaying;
  private long left;
  private boolean isEmpty = true;

  private ProjectionPlan(Collection<ProjectionLane> lanes, long most) {
    this.lanes = lanes;
    this.isReplaying = lanes.stream().anyMatch(ProjectionLane::isReplaying);
    this.left = most;
  }

  /**
   * Chooses batches of lanes that are due.
   *
   * @param most bytes of pages; the first batch may exceed it
   * @return ordered by worker
   */
  static List<Advance> of(Collection<ProjectionLane> lanes, long most) {
    List<LaneCursor> cursors =
        lanes.stream()
            .filter(ProjectionLane::isDue)
            .sorted(Comparator.comparingLong(ProjectionLane::since))
            .map(LaneCursor::new)
            .toList();
    ProjectionPlan plan = new ProjectionPlan(lanes, most);
    cursors.forEach(cursor -> plan.take(cursor, most / cursors.size()));
    cursors.forEach(cursor -> plan.take(cursor, most));
    return cursors.stream()
        .filter(cursor -> !cursor.taken.isEmpty())
        .map(cursor -> cursor.lane.advance(cursor.taken))
        .sorted(Comparator.comparing(Advance::worker))
        .toList();
  }

  private void take(LaneCursor cursor, long share) {
    long mine = Math.min(share, left);
    Batch next = cursor.next;
    while (next != null && (isEmpty || next.pages().size() <= mine) && !isBlocked(cursor, next)) {
      cursor.take(next);
      isEmpty = false;
      mine -= next.pages().size();
      left -= next.pages().size();
      next = cursor.next;
    }
  }

  private boolean isBlocked(LaneCursor cursor, Batch batch) {
    return isReplaying
        && batch.pages().ledgers().stream()
            .anyMatch(
                page ->
                    lanes.stream().anyMatch(lane -> lane != cursor.lane && lane.hasBefore(page)));
  }
}
