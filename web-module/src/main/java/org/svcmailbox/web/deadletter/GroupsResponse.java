package org.svcmailbox.web.deadletter;

import java.util.List;
import java.util.Map;
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
          ReasonCounts.json(group.reasons()),
          Timestamps.text(group.first().diedAt()),
          Timestamps.text(group.last().diedAt()),
          group.pattern().text(),
          group.sample());
    }
  }

  static GroupsResponse of(List<LetterGroup> groups) {
    return new GroupsResponse(groups.stream().map(Group::of).toList());
  }
}
