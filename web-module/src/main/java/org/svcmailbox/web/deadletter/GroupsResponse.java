package org.svcmailbox.web.deadletter;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.svcmailbox.core.deadletter.LetterGroup;
import org.svcmailbox.core.envelope.Timestamps;

/** Groups of dead letters, largest first. */
record GroupsResponse(List<Group> groups) {
  /** Letters with the same fingerprint. */
  record Group(
      String fingerprint,
      long count,
      Map<String, Long> reasons,
      String firstSeen,
      String lastSeen,
      String pattern,
      String sample) {
    static Group of(LetterGroup group) {
      return new Group(
          group.fingerprint().toString(),
          group.count(),
          counts(group),
          Timestamps.text(group.first().diedAt()),
          Timestamps.text(group.last().diedAt()),
          group.pattern().text(),
          group.sample());
    }
  }

  private static Map<String, Long> counts(LetterGroup group) {
    Map<String, Long> counts = new TreeMap<>();
    group.reasons().forEach((reason, count) -> counts.put(reason.text(), count));
    return counts;
  }

  static GroupsResponse of(List<LetterGroup> groups) {
    return new GroupsResponse(groups.stream().map(Group::of).toList());
  }
}
