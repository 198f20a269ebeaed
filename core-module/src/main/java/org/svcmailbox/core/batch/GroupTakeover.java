package org.svcmailbox.core.batch;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.StoreStanding.Verdict;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The way of one group of shards into this process, from the first entry of its log to the moment
 * when SENDs may be served (ADR 137). It decides; the owner of the broker session receives the log
 * and commits. Every step can be repeated, also by another process.
 *
 * <p>A group is named by the worker whose log it has. Owned by one thread.
 */
public final class GroupTakeover {
  /** How far the group has come. */
  public enum State {
    /** The session does not have the log. The registry may still know all that the group has. */
    AWAY,
    /** Entries of the log arrive; a transaction of an earlier session may be open. */
    ATTACHING,
    /** The log is whole, so no earlier session can commit any more. No entry says so yet. */
    OPENING,
    /** The log has this process's entry. Messages may be received; keys are not known yet. */
    LOADING,
    /** Everything is known, and SENDs may be served. */
    HELD,
    /** Database and broker do not agree about this group, which only an operator can decide. */
    CLOSED
  }

  private final WorkerId group;
  private final SendRegistry registry;
  private State state = State.AWAY;
  private @Nullable BatchLog log;
  private long epoch;
  private volatile String trouble = "";
  private List<ByteBuffer> handedOver = List.of();

  public GroupTakeover(WorkerId group, SendRegistry registry) {
    this.group = group;
    this.registry = registry;
  }

  public State state() {
    return state;
  }

  /** The number of the entry that opened the group here last; it rises from owner to owner. */
  public long epoch() {
    return epoch;
  }

  /**
   * The leases that came with the group when it was opened here last, as the owner before wrote
   * them; empty if that owner wrote none or was killed.
   */
  public List<ByteBuffer> handedOver() {
    return handedOver;
  }

  /** Why the group is closed, for operators; empty if it is not. Any thread. */
  public String trouble() {
    return trouble;
  }

  /**
   * Begins with a session that waits for the group's log.
   *
   * @param arriving takes the entries of this session
   */
  public void attached(BatchLog arriving) {
    log = arriving;
    trouble = "";
    state = State.ATTACHING;
  }

  /** Ends with the session. Another process may write the log from now on, or none. */
  public void lost() {
    state = State.AWAY;
    trouble = "";
  }

  /** Ends with the group given away, between two transactions. */
  public void released() {
    state = State.AWAY;
    trouble = "";
    registry.forget(group);
  }

  /** Closes the group if the missing entries of its log are damaged ones. */
  public void damaged(List<DamagedEntry> damaged) {
    if (state == State.ATTACHING && log().isWholeBut(damaged.size())) {
      close(Verdict.LOG_DAMAGED, StoreStanding.damage(group, damaged));
    }
  }

  /**
   * Goes on as far as the log and the database permit.
   *
   * @return a change of the log to commit alone, before {@link #opened}; null if there is none
   * @throws UnavailableException if the database is away; repeat it later
   */
  public BatchLog.@Nullable Change next() {
    if (state == State.ATTACHING && log().isWhole()) {
      judge();
    }
    if (state == State.OPENING && log().hasRoom(applied())) {
      handedOver = log().handedOver();
      return log().open(applied());
    }
    if (state == State.LOADING && applied().equals(log().lastBatch())) {
      // A repeated load meets pages of the one before, which have the same keys.
      registry.load(List.of(group));
      state = State.HELD;
    }
    return null;
  }

  /** Records that the change is committed. */
  public void opened(BatchLog.Change change) {
    epoch = change.added().get(0).number();
    registry.projector().release(group, log().oldestBatch());
    state = State.LOADING;
  }

  private void judge() {
    try {
      if (isAsLeft()) {
        // Only the outcome of the last batch is new.
        registry.resolve(group, log().lastBatch());
        state = State.HELD;
      } else {
        registry.requireAfter(group, log().lastBatch());
        takeOver();
      }
    } catch (StoreMismatchException e) {
      trouble = String.valueOf(e.getMessage());
      state = State.CLOSED;
    }
  }

  /** Whether no other process wrote since, and this one has not given the group away. */
  private boolean isAsLeft() {
    return log().isOwn() && registry.isLoaded(group) && log().handedOver().isEmpty();
  }

  private void takeOver() {
    StoreStanding standing = StoreStanding.of(group, log(), registry);
    if (standing.isMismatch()) {
      close(standing.verdict(), standing.detail());
      return;
    }
    registry.forget(group);
    registry.attach(standing);
    state = State.OPENING;
  }

  private void close(Verdict verdict, String detail) {
    registry.mismatch().found(verdict, detail);
    trouble = detail;
    state = State.CLOSED;
  }

  private BatchId applied() {
    return registry.projector().applied(group);
  }

  private BatchLog log() {
    return requireNonNull(log);
  }
}
