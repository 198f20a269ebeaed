package org.svcmailbox.grpc.server;

import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;

/** A mailbox that records requests and returns the outcomes that a test sets. */
final class FakeMailbox implements MailboxService {
  static final MsgId ID = MsgId.create(0, Instant.EPOCH);

  volatile Function<SendRequest, CompletionStage<SendOutcome>> onSend =
      request -> CompletableFuture.completedStage(new Accepted(ID, false));

  volatile Function<RecvRequest, CompletionStage<RecvOutcome>> onRecv =
      request -> CompletableFuture.completedStage(Delivered.NONE);

  volatile Function<SettleRequest, CompletionStage<SettleOutcome>> onSettle =
      request -> CompletableFuture.completedStage(SettleOutcome.DONE);

  final BlockingQueue<Object> requests = new LinkedBlockingQueue<>();

  /** One element for each RECV that was abandoned. */
  final BlockingQueue<RecvRequest> abandoned = new LinkedBlockingQueue<>();

  @Override
  public CompletionStage<SendOutcome> send(Caller caller, SendRequest request) {
    requests.add(request);
    return onSend.apply(request);
  }

  @Override
  public PendingRecv recv(Caller caller, RecvRequest request) {
    CompletionStage<RecvOutcome> outcome = onRecv.apply(request);
    requests.add(request);
    return new PendingRecv() {
      @Override
      public CompletionStage<RecvOutcome> outcome() {
        return outcome;
      }

      @Override
      public void abandon() {
        abandoned.add(request);
      }
    };
  }

  @Override
  public CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request) {
    requests.add(request);
    return onSettle.apply(request);
  }
}
