package org.svcmailbox.core.rendezvous.access;

import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.rendezvous.AccessRules;

/** Checks {@link AccessRules} against the bounds of the settings. */
final class AccessCheck {
  static final int MAX_RATE = 1_000_000;
  static final int MAX_WINDOW = 3_600;

  private final List<FieldViolation> violations = new ArrayList<>();

  private AccessCheck() {}

  /** Throws {@link SchemaException} naming every field out of bounds. */
  static void require(AccessRules rules) {
    AccessCheck check = new AccessCheck();
    check.within("allow", rules.allow().size(), 0, AccessRules.MAX_RANGES, " ranges");
    check.within("block", rules.block().size(), 0, AccessRules.MAX_RANGES, " ranges");
    check.within("posts_per_minute", rules.postsPerMinute(), 0, MAX_RATE, "");
    check.within("gets_per_minute", rules.getsPerMinute(), 0, MAX_RATE, "");
    check.within("window_seconds", rules.windowSeconds(), 1, MAX_WINDOW, "");
    if (!check.violations.isEmpty()) {
      throw new SchemaException(check.violations);
    }
  }

  private void within(String field, int value, int least, int most, String unit) {
    if (value < least || value > most) {
      violations.add(new FieldViolation(field, "must be " + least + " to " + most + unit));
    }
  }

  /** A summary for the audit. */
  static String text(AccessRules rules) {
    return "%d ranges allowed, %d blocked; %d POSTs and %d GETs a minute, window %d s"
        .formatted(
            rules.allow().size(),
            rules.block().size(),
            rules.postsPerMinute(),
            rules.getsPerMinute(),
            rules.windowSeconds());
  }
}
