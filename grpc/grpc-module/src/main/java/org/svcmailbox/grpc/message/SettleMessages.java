package org.svcmailbox.grpc.message;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.TooLong;
import org.svcmailbox.core.delivery.SettleOutcome.Unknown;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.refusal.ProblemReports;
import org.svcmailbox.core.request.AckFields;
import org.svcmailbox.core.request.BatchElements;
import org.svcmailbox.core.request.CallBatch;
import org.svcmailbox.core.request.ExtendFields;
import org.svcmailbox.core.request.NackFields;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.grpc.refusal.RefusedException;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.AckBatch;
import org.svcmailbox.proto.v1.Done;
import org.svcmailbox.proto.v1.Extend;
import org.svcmailbox.proto.v1.ExtendBatch;
import org.svcmailbox.proto.v1.Nack;
import org.svcmailbox.proto.v1.NackBatch;
import org.svcmailbox.proto.v1.Settle;
import org.svcmailbox.proto.v1.Settled;

/**
 * Converts settlements and their results. Conversions throw {@code SchemaException} naming every
 * refused field.
 */
public final class SettleMessages {
  private SettleMessages() {}

  public static List<SettleRequest> checked(AckBatch batch, MailboxSettings settings) {
    KnownFields.check(batch);
    return BatchElements.checked("acks", batch.getAcksList(), max(settings), SettleMessages::ack);
  }

  private static int max(MailboxSettings settings) {
    return settings.request().batch();
  }

  private static SettleRequest ack(Ack message) {
    KnownFields.check(message);
    return new AckFields(Given.text(message.getMsgId()), Given.text(message.getReceipt()))
        .checked();
  }

  public static List<SettleRequest> checked(NackBatch batch, MailboxSettings settings) {
    KnownFields.check(batch);
    return BatchElements.checked(
        "nacks", batch.getNacksList(), max(settings), SettleMessages::nack);
  }

  private static SettleRequest nack(Nack message) {
    KnownFields.check(message);
    return new NackFields(
            Given.text(message.getMsgId()),
            Given.text(message.getReceipt()),
            Given.text(message.getReason()),
            message.hasDelayMs() ? message.getDelayMs() : null,
            message.getDeadLetter())
        .checked();
  }

  public static List<SettleRequest> checked(ExtendBatch batch, MailboxSettings settings) {
    KnownFields.check(batch);
    return BatchElements.checked(
        "extends",
        batch.getExtendsList(),
        max(settings),
        one -> extend(one, settings.visibility()));
  }

  private static SettleRequest extend(Extend message, MailboxSettings.Visibility bounds) {
    KnownFields.check(message);
    return new ExtendFields(
            Given.text(message.getMsgId()),
            Given.text(message.getReceipt()),
            message.hasVisibilityMs() ? message.getVisibilityMs() : null)
        .checked(bounds);
  }

  /** Converts the settlements of a stream: first acks, then nacks, then extends. */
  public static List<SettleRequest> checked(Settle settle, MailboxSettings settings) {
    KnownFields.check(settle);
    List<SettleRequest> all = new ArrayList<>();
    if (settle.getAcksCount() > 0) {
      all.addAll(
          BatchElements.checked("acks", settle.getAcksList(), max(settings), SettleMessages::ack));
    }
    if (settle.getNacksCount() > 0) {
      all.addAll(
          BatchElements.checked(
              "nacks", settle.getNacksList(), max(settings), SettleMessages::nack));
    }
    if (settle.getExtendsCount() > 0) {
      all.addAll(
          BatchElements.checked(
              "extends",
              settle.getExtendsList(),
              max(settings),
              one -> extend(one, settings.visibility())));
    }
    if (all.isEmpty()) {
      throw new SchemaException("settle", "must have an element");
    }
    return all;
  }

  /**
   * The results of a batch.
   *
   * @param refused converts a failure
   */
  public static Settled settled(
      CallBatch<Done> batch, Function<RuntimeException, com.google.rpc.Status> refused) {
    return Settled.newBuilder()
        .addAllOutcomes(
            batch.results(
                done -> org.svcmailbox.proto.v1.SettleOutcome.newBuilder().setDone(done).build(),
                failure ->
                    org.svcmailbox.proto.v1.SettleOutcome.newBuilder()
                        .setRefused(refused.apply(failure))
                        .build()))
        .build();
  }

  /**
   * Converts a result.
   *
   * @throws RefusedException if the settlement was not done
   */
  public static Done done(MsgId msgId, SettleOutcome outcome) {
    if (outcome instanceof SettleOutcome.Done) {
      return Done.getDefaultInstance();
    }
    if (outcome instanceof Stale stale) {
      throw new RefusedException(ProblemReports.stale(msgId, stale));
    }
    if (outcome instanceof TooLong tooLong) {
      throw new RefusedException(ProblemReports.tooLong(msgId, tooLong));
    }
    if (outcome instanceof Unknown) {
      throw new RefusedException(ProblemReports.unknown(msgId));
    }
    if (outcome instanceof Refusal refusal) {
      throw new RefusedException(ProblemReports.refused(refusal));
    }
    throw Given.unforeseen(outcome);
  }
}
