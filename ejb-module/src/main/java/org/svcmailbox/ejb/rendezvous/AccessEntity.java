package org.svcmailbox.ejb.rendezvous;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.List;
import java.util.stream.Collectors;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.rendezvous.AccessRules;

/** The only row with access rules. */
@Entity
@Table(name = "rendezvous_access")
class AccessEntity {
  static final int ONE = 1;

  private static final String LINE = "\n";

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Id
  @Column(name = "one")
  private int one = ONE;

  @Column(name = "allowed", columnDefinition = "text")
  private String allowed;

  @Column(name = "blocked", columnDefinition = "text")
  private String blocked;

  @Column(name = "posts_per_minute")
  private int postsPerMinute;

  @Column(name = "gets_per_minute")
  private int getsPerMinute;

  @Column(name = "window_seconds")
  private int windowSeconds;

  @SuppressWarnings("NullAway.Init")
  protected AccessEntity() {}

  AccessEntity(AccessRules rules) {
    allowed = text(rules.allow());
    blocked = text(rules.block());
    postsPerMinute = rules.postsPerMinute();
    getsPerMinute = rules.getsPerMinute();
    windowSeconds = rules.windowSeconds();
  }

  AccessRules rules() {
    return new AccessRules(
        ranges(allowed), ranges(blocked), postsPerMinute, getsPerMinute, windowSeconds);
  }

  private static String text(List<IpRange> ranges) {
    return ranges.stream().map(IpRange::text).collect(Collectors.joining(LINE));
  }

  private static List<IpRange> ranges(String text) {
    return text.lines().map(line -> IpRange.parse(line).orElseThrow()).toList();
  }
}
