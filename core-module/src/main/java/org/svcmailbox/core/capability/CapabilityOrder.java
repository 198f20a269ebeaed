package org.svcmailbox.core.capability;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Caveat;
import org.svcmailbox.capability.Condition;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;

/**
 * A capability that an administrator of the console wants for another holder. It names its
 * operations, none of which manages the service.
 *
 * @param caveats all known, at least one of them {@code ops}
 * @param life 1 s to 365 d
 * @param note {@link CapabilityNote#checked}
 */
public record CapabilityOrder(List<String> caveats, Duration life, String note) {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(365);

  /** Their holder could mint or revoke capabilities, or change topics. */
  private static final Set<Operation> MANAGING = Set.of(Operation.ADMIN, Operation.REVOKE);

  public CapabilityOrder {
    caveats = List.copyOf(caveats);
  }

  /**
   * Parses a request.
   *
   * @throws SchemaException naming each refused field
   */
  public static CapabilityOrder of(
      @Nullable List<String> caveats, @Nullable String expiresIn, @Nullable String note) {
    FieldChecks checks = new FieldChecks();
    List<String> limits = checks.required("caveats", caveats, CapabilityOrder::limits);
    Duration life = checks.required("expires_in", expiresIn, CapabilityOrder::life);
    String name = checks.required("note", note, CapabilityNote::checked);
    return checks.end(
        () ->
            new CapabilityOrder(
                requireNonNull(limits), requireNonNull(life), requireNonNull(name)));
  }

  private static List<String> limits(List<String> caveats) {
    List<FieldViolation> violations = new ArrayList<>();
    boolean hasOps = false;
    for (int i = 0; i < caveats.size(); i++) {
      String field = "caveats[" + i + "]";
      Condition condition = Caveat.read(caveats.get(i)).condition();
      if (condition instanceof Condition.Unknown) {
        violations.add(new FieldViolation(field, "is not a caveat"));
      } else if (condition instanceof Condition.Operations named) {
        hasOps = true;
        if (named.operations().stream().anyMatch(MANAGING::contains)) {
          violations.add(new FieldViolation(field, "must not name admin or revoke"));
        }
      }
    }
    if (!hasOps && violations.isEmpty()) {
      violations.add(new FieldViolation("caveats", "must have an ops caveat"));
    }
    if (!violations.isEmpty()) {
      throw new SchemaException(violations);
    }
    return caveats;
  }

  private static Duration life(String text) {
    Duration life = FieldChecks.duration("expires_in", text);
    if (life.compareTo(SHORTEST) < 0 || life.compareTo(LONGEST) > 0) {
      throw new SchemaException("expires_in", "must be between 1s and 365d");
    }
    return life;
  }
}
