package org.svcmailbox.grpc.message;

import java.util.HashMap;
import java.util.List;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SendOutcome.HashMismatch;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.refusal.ProblemReports;
import org.svcmailbox.core.request.SendFields;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.grpc.refusal.RefusedException;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Sent;

/** Converts SENDs and their results. */
public final class SendMessages {
  private SendMessages() {}

  /**
   * Converts a SEND.
   *
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  public static org.svcmailbox.core.delivery.SendRequest checked(
      SendRequest message, MailboxSettings.Request bounds) {
    return fields(message).checked(bounds);
  }

  /** Converts a batch, as {@link SendFields#checkedBatch}. */
  public static List<org.svcmailbox.core.delivery.SendRequest> checked(
      SendBatchRequest batch, MailboxSettings.Request bounds) {
    KnownFields.check(batch);
    return SendFields.checkedBatch(batch.getMessagesList(), SendMessages::fields, bounds);
  }

  private static SendFields fields(SendRequest message) {
    KnownFields.check(message);
    return new SendFields(
        Given.text(message.getTopic()),
        Payload.owning(message.getPayload().toByteArray()),
        Given.text(message.getIdemKey()),
        message.getAttrsCount() == 0 ? null : new HashMap<>(message.getAttrsMap()),
        Given.text(message.getCorrId()),
        Given.text(message.getShardKey()),
        message.hasDelayMs() ? message.getDelayMs() : null,
        message.hasTtlMs() ? message.getTtlMs() : null,
        Given.text(message.getPayloadHash()),
        Given.text(message.getSig()),
        Given.text(message.getTraceparent()),
        Given.text(message.getTracestate()));
  }

  /**
   * Converts a result.
   *
   * @throws RefusedException if the message is not on disk
   */
  public static Sent sent(SendOutcome outcome) {
    if (outcome instanceof Accepted accepted) {
      return Sent.newBuilder()
          .setMsgId(accepted.msgId().toString())
          .setDuplicate(accepted.duplicate())
          .build();
    }
    if (outcome instanceof KeyConflict conflict) {
      throw new RefusedException(ProblemReports.conflict(conflict));
    }
    if (outcome instanceof HashMismatch) {
      throw new RefusedException(ProblemReports.hashMismatch());
    }
    if (outcome instanceof Refusal refusal) {
      throw new RefusedException(ProblemReports.refused(refusal));
    }
    throw Given.unforeseen(outcome);
  }
}
