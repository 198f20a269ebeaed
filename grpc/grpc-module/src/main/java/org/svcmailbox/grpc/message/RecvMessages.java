package org.svcmailbox.grpc.message;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnsafeByteOperations;
import java.time.Instant;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.refusal.ProblemReports;
import org.svcmailbox.core.request.RecvFields;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.grpc.refusal.RefusedException;
import org.svcmailbox.proto.v1.Envelope;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.RecvResponse;

/** Converts RECVs and their messages. */
public final class RecvMessages {
  private RecvMessages() {}

  /**
   * Converts a RECV.
   *
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  public static org.svcmailbox.core.delivery.RecvRequest checked(
      RecvRequest message, MailboxSettings settings) {
    KnownFields.check(message);
    return new RecvFields(
            Given.text(message.getTopic()),
            message.hasVisibilityMs() ? message.getVisibilityMs() : null,
            message.hasMaxMessages() ? message.getMaxMessages() : null,
            message.hasMaxBytes() ? message.getMaxBytes() : null,
            message.hasWaitMs() ? message.getWaitMs() : null,
            message.hasShard() ? message.getShard() : null)
        .checked(settings);
  }

  /**
   * Converts a result. It shares the payloads' arrays, so it must be written at once.
   *
   * @throws RefusedException if no messages were leased
   */
  public static RecvResponse response(RecvOutcome outcome) {
    if (outcome instanceof Delivered delivered) {
      RecvResponse.Builder response = RecvResponse.newBuilder();
      delivered.messages().forEach(leased -> response.addMessages(received(leased)));
      return response.build();
    }
    if (outcome instanceof Refusal refusal) {
      throw new RefusedException(ProblemReports.refused(refusal));
    }
    throw Given.unforeseen(outcome);
  }

  /** Converts one message; see {@link #response}. */
  public static Received received(LeasedMessage leased) {
    Received.Builder received =
        Received.newBuilder()
            .setEnvelope(envelope(leased.message().envelope()))
            .setPayload(payload(leased))
            .setReceipt(leased.receipt().value())
            .setVisibilityMs(leased.visibility().toMillis());
    String lastError = leased.message().nackReason();
    if (lastError != null) {
      received.setLastError(lastError);
    }
    TraceContext trace = leased.message().trace();
    if (trace != null) {
      received.setTraceparent(trace.parent());
      if (trace.state() != null) {
        received.setTracestate(trace.state());
      }
    }
    return received.build();
  }

  private static ByteString payload(LeasedMessage leased) {
    return UnsafeByteOperations.unsafeWrap(leased.message().payload().bytes());
  }

  private static Envelope envelope(org.svcmailbox.core.envelope.Envelope envelope) {
    Envelope.Builder message =
        Envelope.newBuilder()
            .setMsgId(envelope.msgId().toString())
            .setTopic(envelope.topic().value())
            .setTs(timestamp(envelope.ts()))
            .setIdemKey(envelope.idemKey().value())
            .setPayloadHash(envelope.payloadHash().toString())
            .putAllAttrs(envelope.attrs().values())
            .setCorrId(envelope.corrId().value())
            .setShard(envelope.shard())
            .setSeq(envelope.seq())
            .setAttempt(envelope.attempt())
            .setHashChain(envelope.hashChain().toString());
    if (envelope.sig() != null) {
      message.setSig(envelope.sig().value());
    }
    return message.build();
  }

  private static Timestamp timestamp(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }
}
