package org.svcmailbox.core.route;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;

/** Records calls, and answers them as told, or when told. */
final class FakeMailbox implements MailboxService {
  final List<Object> calls = new ArrayList<>();
  final List<Caller> callers = new ArrayList<>();
  final List<Recv> recvs = new ArrayList<>();
  CompletableFuture<SendOutcome> sent = new CompletableFuture<>();
  CompletableFuture<SettleOutcome> settled = new CompletableFuture<>();

  /** The next RECVs without waiting. */
  RecvOutcome received = Delivered.NONE;

  static final class Recv implements PendingRecv {
    final RecvRequest request;
    final CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
    boolean isAbandoned;

    Recv(RecvRequest request) {
      this.request = request;
    }

    @Override
    public CompletionStage<RecvOutcome> outcome() {
      return outcome;
    }

    @Override
    public void abandon() {
      isAbandoned = true;
      boolean unused = outcome.complete(Delivered.NONE);
    }
  }

  @Override
  public CompletionStage<SendOutcome> send(Caller caller, SendRequest request) {
    callers.add(caller);
    calls.add(request);
    return sent;
  }

  @Override
  public CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request) {
    callers.add(caller);
    calls.add(request);
    return settled;
  }

  @Override
  public PendingRecv recv(Caller caller, RecvRequest request) {
    callers.add(caller);
    calls.add(request);
    Recv recv = new Recv(request);
    recvs.add(recv);
    if (request.maxWait().isZero()) {
      boolean unused = recv.outcome.complete(received);
    }
    return recv;
  }
}
