package org.svcmailbox.web.rendezvous;

import java.util.List;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.rendezvous.AccessRules;

record AccessResponse(
    List<String> allow,
    List<String> block,
    int postsPerMinute,
    int getsPerMinute,
    int windowSeconds) {
  static AccessResponse of(AccessRules rules) {
    return new AccessResponse(
        texts(rules.allow()),
        texts(rules.block()),
        rules.postsPerMinute(),
        rules.getsPerMinute(),
        rules.windowSeconds());
  }

  private static List<String> texts(List<IpRange> ranges) {
    return ranges.stream().map(IpRange::text).toList();
  }
}
