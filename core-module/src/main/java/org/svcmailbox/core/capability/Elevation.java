package org.svcmailbox.core.capability;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Caveat;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;

/**
 * One operation that an administrator of the console needs for a moment: {@code admin} or {@code
 * send} on one topic, or {@code revoke}, which is about no topic.
 */
public final class Elevation {
  private static final Set<Operation> OF_A_TOPIC = Set.of(Operation.ADMIN, Operation.SEND);

  private final Operation operation;
  private final @Nullable TopicName topic;

  private Elevation(Operation operation, @Nullable TopicName topic) {
    this.operation = operation;
    this.topic = topic;
  }

  /**
   * Parses a request.
   *
   * @throws SchemaException naming each refused field
   */
  public static Elevation of(@Nullable String op, @Nullable String topic) {
    List<FieldViolation> violations = new ArrayList<>();
    Optional<Operation> operation = operation(op);
    if (operation.isEmpty()) {
      violations.add(new FieldViolation("op", "must be admin, send or revoke"));
    }
    TopicName name = null;
    if (operation.isPresent() && OF_A_TOPIC.contains(operation.get()) && topic == null) {
      violations.add(new FieldViolation("topic", "is required for " + op));
    } else if (operation.filter(Operation.REVOKE::equals).isPresent() && topic != null) {
      violations.add(new FieldViolation("topic", "is not for revoke"));
    } else if (topic != null) {
      try {
        name = new TopicName(topic);
      } catch (SchemaException e) {
        violations.addAll(e.violations());
      }
    }
    if (!violations.isEmpty()) {
      throw new SchemaException(violations);
    }
    return new Elevation(operation.orElseThrow(), name);
  }

  private static Optional<Operation> operation(@Nullable String op) {
    return Stream.of(Operation.ADMIN, Operation.SEND, Operation.REVOKE)
        .filter(operation -> operation.text().equals(op))
        .findFirst();
  }

  /** The caveats that limit a capability to this. */
  List<String> caveats() {
    String ops = Caveat.operations(Set.of(operation)).text();
    return topic == null ? List.of(ops) : List.of(ops, Caveat.topic(topic.value()).text());
  }

  @Override
  public String toString() {
    return String.join("; ", caveats());
  }
}
