package org.svcmailbox.core.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A process that serves what it takes as soon as the log is free. */
final class ServedGroups implements NodeGroups {
  final Set<Integer> wanted = new TreeSet<>();
  final Map<Integer, Long> served = new HashMap<>();
  boolean isFit = true;
  boolean hasLogs = true;

  /** The group that the broker has no log of; -1 for none. */
  int closed = -1;

  private long epoch;

  @Override
  public String unfit() {
    return isFit ? "" : "no session";
  }

  @Override
  public long topicsSeen() {
    return 0;
  }

  @Override
  public Set<Integer> wanted() {
    return Set.copyOf(wanted);
  }

  @Override
  public void take(int group) {
    assertTrue(wanted.add(group), "taken twice");
    if (hasLogs) {
      served.put(group, ++epoch);
    }
  }

  @Override
  public void giveAway(int group) {
    assertTrue(wanted.remove(group), "given away twice");
    served.remove(group);
  }

  @Override
  public Map<Integer, Long> served() {
    return Map.copyOf(served);
  }

  @Override
  public GroupHere of(int group) {
    if (group == closed) {
      return GroupHere.closed("the broker has no log of this group");
    }
    return GroupHere.of(served.containsKey(group) ? GroupHere.State.HELD : GroupHere.State.AWAY);
  }
}
