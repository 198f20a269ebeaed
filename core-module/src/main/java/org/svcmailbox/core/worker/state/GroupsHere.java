package org.svcmailbox.core.worker.state;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.topic.ShardId;

/**
 * The groups that this process has. A process that is alone has all of them, from its start to its
 * end. One among several waits for the logs of the groups that it wants. It serves a group from
 * when it has opened the log until it gives the group away or loses the log.
 *
 * <p>Only the worker of a group changes whether the group is served. Any thread reads.
 */
public final class GroupsHere {
  /** Clocks of two nodes differ by less; each keeps keys for so much longer. */
  private static final Duration CLOCKS = Duration.ofSeconds(4);

  private final Groups among;
  private final boolean isAlone;
  private final Set<WorkerId> wanted = ConcurrentHashMap.newKeySet();

  /** By group, the entry that opened it here. */
  private final Map<WorkerId, Long> served = new ConcurrentHashMap<>();

  private GroupsHere(Groups among, boolean isAlone) {
    this.among = among;
    this.isAlone = isAlone;
  }

  /** The groups of a process that is alone. */
  public static GroupsHere all(Groups among) {
    return new GroupsHere(among, true);
  }

  /** The groups of one process among several, which has none yet. */
  public static GroupsHere none(Groups among) {
    return new GroupsHere(among, false);
  }

  /** All groups, here and elsewhere. */
  public Groups among() {
    return among;
  }

  /** Whether no other process has a group. */
  public boolean isAlone() {
    return isAlone;
  }

  /**
   * The time by which keys must have expired to be free. Another process may have taken them, by
   * its own clock.
   */
  public Instant expiry(Instant now) {
    return isAlone ? now : now.minus(CLOCKS);
  }

  /** Has the process wait for a group's log in its next session, or no longer. */
  public void want(WorkerId group, boolean isWanted) {
    if (isWanted) {
      wanted.add(group);
    } else {
      wanted.remove(group);
    }
  }

  /** Whether the process has a group or waits for it. */
  public boolean wants(WorkerId group) {
    return isAlone || wanted.contains(group);
  }

  /** Whether the process has the group of one of these shards, or waits for it. */
  public boolean wantsAny(Collection<ShardId> shards) {
    return isAlone || shards.stream().anyMatch(one -> wants(among.groupOf(one.slot())));
  }

  /** The groups that it has or waits for; none in a process that is alone. */
  public Set<WorkerId> wanted() {
    return Set.copyOf(wanted);
  }

  /**
   * Records that no other process has a group.
   *
   * @param epoch the number of the entry that opened it here
   */
  public void serve(WorkerId group, long epoch) {
    served.put(group, epoch);
  }

  /** Records that another process may have a group from now on. */
  public void endService(WorkerId group) {
    served.remove(group);
  }

  /** The groups that it serves, each with its epoch; none in a process that is alone. */
  public Map<WorkerId, Long> served() {
    return Map.copyOf(served);
  }

  /** Whether messages of a routing slot may be leased and ended here. */
  public boolean serves(int slot) {
    return isAlone || serves(among.groupOf(slot));
  }

  /** Whether messages of a routing slot may be leased here: not while its group is given away. */
  public boolean leases(int slot) {
    WorkerId group = among.groupOf(slot);
    return serves(group) && wants(group);
  }

  /** As {@link #serves(int)}, for a whole group. */
  public boolean serves(WorkerId group) {
    return isAlone || served.containsKey(group);
  }
}
