package org.svcmailbox.grpc.stream;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.request.CallBatch;
import org.svcmailbox.grpc.message.KnownFields;
import org.svcmailbox.grpc.message.SendMessages;
import org.svcmailbox.proto.v1.Chunk;
import org.svcmailbox.proto.v1.Outcome;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendFrame;
import org.svcmailbox.proto.v1.SendHead;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.SendResult;

/**
 * A SendStream: frames come in, and results go out in the order of their commits. It stops reading
 * while too much is unanswered. A refused message is one outcome; a frame that makes no sense ends
 * the call.
 */
public final class SendStreamCall extends ReadCall<SendFrame, SendResult> {
  /** The most messages that may arrive in chunks at the same time. */
  static final int MOST_CHUNKED = 4;

  private final Map<Long, ChunkedSend> arriving = new HashMap<>();

  private SendStreamCall(ServerCallStreamObserver<SendResult> client, StreamContext context) {
    super(client, context, 1);
  }

  /** Begins a call, on the call's own thread. */
  public static StreamObserver<SendFrame> begin(
      ServerCallStreamObserver<SendResult> client, StreamContext context) {
    SendStreamCall call = new SendStreamCall(client, context);
    call.begin(
        () -> {
          context.caller().requireAnywhere(Operation.SEND);
          context.opened().run();
        });
    return call;
  }

  @Override
  void finish() {
    writer.complete();
  }

  @Override
  void gone() {
    arriving.values().forEach(ChunkedSend::release);
    arriving.clear();
  }

  @Override
  void accept(SendFrame frame) {
    KnownFields.check(frame);
    switch (frame.getPartCase()) {
      case MESSAGE -> message(frame.getId(), frame.getMessage());
      case BATCH -> batch(frame.getId(), frame.getBatch());
      case HEAD -> head(frame.getId(), frame.getHead());
      case CHUNK -> chunk(frame.getId(), frame.getChunk());
      case PART_NOT_SET ->
          throw new SchemaException("part", "must be a message, a batch, a head or a chunk");
    }
  }

  private void message(long id, SendRequest message) {
    requireNotArriving(id);
    unanswered.add(id, 1, message.getPayload().size());
    answer(id, () -> List.of(SendMessages.checked(message, context.settings().request())));
  }

  private void batch(long id, SendBatchRequest batch) {
    requireNotArriving(id);
    unanswered.add(id, batch.getMessagesCount(), batch.getSerializedSize());
    answer(id, () -> SendMessages.checked(batch, context.settings().request()));
  }

  private void head(long id, SendHead head) {
    requireNotArriving(id);
    unanswered.requireFree(id);
    if (arriving.size() >= MOST_CHUNKED) {
      throw new SchemaException(
          "head", "at most " + MOST_CHUNKED + " messages arrive in chunks at once");
    }
    arriving.put(id, new ChunkedSend(head, context.settings().request(), context.arriving()));
  }

  private void chunk(long id, Chunk chunk) {
    ChunkedSend send = arriving.get(id);
    if (send == null) {
      throw new SchemaException("chunk", "has no head");
    }
    if (send.add(chunk)) {
      arriving.remove(id);
      message(id, send.message());
      send.release();
    }
  }

  private void requireNotArriving(long id) {
    if (arriving.containsKey(id)) {
      throw new SchemaException("id", "is outstanding");
    }
  }

  /** Sends the messages that pass the check; a refusal of the whole frame is its one outcome. */
  private void answer(long id, Supplier<List<org.svcmailbox.core.delivery.SendRequest>> checked) {
    CompletionStage<CallBatch<SendOutcome>> sent;
    try {
      sent = CallBatch.of(checked.get(), this::send);
    } catch (MailboxException e) {
      sent = CallBatch.of(List.of(e), this::refused);
    }
    CompletionStage<Void> unused = sent.thenAccept(batch -> writer.later(() -> write(id, batch)));
  }

  private CompletionStage<SendOutcome> send(org.svcmailbox.core.delivery.SendRequest message) {
    return context
        .mailbox()
        .send(context.caller(), message.within(message.corrId(), context.trace()));
  }

  private CompletionStage<SendOutcome> refused(MailboxException why) {
    throw why;
  }

  private void write(long id, CallBatch<SendOutcome> batch) {
    writer.now(SendResult.newBuilder().setId(id).addAllOutcomes(outcomes(batch)).build());
    answered(id);
  }

  private List<Outcome> outcomes(CallBatch<SendOutcome> batch) {
    return batch.results(
        outcome -> Outcome.newBuilder().setSent(SendMessages.sent(outcome)).build(),
        failure ->
            Outcome.newBuilder()
                .setRefused(context.refusals().status(failure, context.call()))
                .build());
  }

  @Override
  public void onCompleted() {
    if (arriving.isEmpty()) {
      halfClose();
    } else {
      fail(new SchemaException("chunk", "the last message is not complete"));
    }
  }
}
