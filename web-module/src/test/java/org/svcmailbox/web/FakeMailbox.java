package org.svcmailbox.web;

import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
public final class FakeMailbox implements MailboxService {
  private static final long PATIENCE_SECONDS = 10;

  /** The outcomes of SEND, RECV and settlements; a test replaces them. */
  public volatile Function<SendRequest, CompletionStage<SendOutcome>> onSend =
      request ->
          CompletableFuture.completedStage(new Accepted(MsgId.create(0, Instant.EPOCH), false));

  public volatile Function<RecvRequest, CompletionStage<RecvOutcome>> onRecv =
      request -> CompletableFuture.completedStage(Delivered.NONE);

  public volatile Function<SettleRequest, CompletionStage<SettleOutcome>> onSettle =
      request -> CompletableFuture.completedStage(SettleOutcome.DONE);

  private final BlockingQueue<Object> requests = new LinkedBlockingQueue<>();
  private final BlockingQueue<Recv> recvs = new LinkedBlockingQueue<>();

  /**
   * A pending RECV.
   *
   * @param abandonments one permit per abandonment
   */
  public record Recv(
      RecvRequest request,
      CompletionStage<RecvOutcome> outcome,
      Semaphore abandonments,
      CompletableFuture<Void> isAbandoned)
      implements PendingRecv {
    @Override
    public void abandon() {
      abandonments.release();
      isAbandoned.complete(null);
    }
  }

  @Override
  public CompletionStage<SendOutcome> send(Caller caller, SendRequest request) {
    return noted(request, onSend);
  }

  @Override
  public PendingRecv recv(Caller caller, RecvRequest request) {
    CompletionStage<RecvOutcome> outcome = noted(request, onRecv);
    Recv recv = new Recv(request, outcome, new Semaphore(0), new CompletableFuture<>());
    recvs.add(recv);
    return recv;
  }

  @Override
  public CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request) {
    return noted(request, onSettle);
  }

  /** Answers first, so that a test that sees the request also sees the answer's effects. */
  private <T, U> U noted(T request, Function<T, U> answer) {
    try {
      return answer.apply(request);
    } finally {
      requests.add(request);
    }
  }

  public Recv nextRecv() throws InterruptedException {
    Recv recv = recvs.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (recv == null) {
      throw new AssertionError("no RECV arrived");
    }
    return recv;
  }

  /** Returns the next request, in core types. */
  public <T> T next(Class<T> type) throws InterruptedException {
    Object request = requests.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (request == null) {
      throw new AssertionError("no request arrived");
    }
    return type.cast(request);
  }

  /** Whether no unread request is left. */
  public boolean isUntouched() {
    return requests.isEmpty();
  }
}
