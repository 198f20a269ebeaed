package org.svcmailbox.core.route;

import java.util.List;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.Problem;

/** The owner's answer to one forwarded call. */
public sealed interface PeerAnswer {
  /** The outcome of a SEND that was not refused. */
  record Sent(SendOutcome outcome) implements PeerAnswer {}

  /** The outcome of a RECV that was not refused. */
  record Received(RecvOutcome.Delivered outcome) implements PeerAnswer {}

  /** The outcome of an ACK, NACK, rejection or EXTEND that was not refused. */
  record Settled(SettleOutcome outcome) implements PeerAnswer {}

  /** The call was refused, as a value or by an exception that a value can stand for. */
  record Refused(Refusal refusal) implements PeerAnswer {}

  /**
   * The call was refused by an exception that no value can stand for.
   *
   * @param problem {@code E_SCHEMA}, {@code E_NOT_FOUND} or {@code E_INTERNAL}
   * @param violations the wrong fields of {@code E_SCHEMA}
   */
  record Thrown(Problem problem, String detail, List<FieldViolation> violations)
      implements PeerAnswer {
    /** Copies the list. */
    public Thrown {
      violations = List.copyOf(violations);
    }
  }

  /** The leases were given back, or will be as soon as there are any. */
  record GivenBack() implements PeerAnswer {}

  /** The outcome of a part of an operator's call. */
  record Told(GroupResult result) implements PeerAnswer {}

  /** The owner does not know the outcome yet. */
  record Unanswered() implements PeerAnswer {}
}
