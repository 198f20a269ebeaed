package org.svcmailbox.web.deadletter;

import java.util.List;
import org.svcmailbox.core.deadletter.LetterGroup;
import org.svcmailbox.core.envelope.Timestamps;

/** Groups of dead letters, largest first. */
record GroupsResponse(List<Group> groups) {
  /** Letters with the same fingerprint. */
  record Group(
      String fingerprint,
      String reason,
      long count,
      String firstSeen,
      String lastSeen,
      String pattern,
      String sample) {
    static Group of(LetterGroup group) {
      return new Group(
          group.fingerprint().toString(),
          group.reason().text(),
          group.count(),
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
