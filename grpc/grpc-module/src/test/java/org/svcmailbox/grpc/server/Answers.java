package org.svcmailbox.grpc.server;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The answers of a call; a status ends them. */
final class Answers<Q, A> implements ClientResponseObserver<Q, A> {
  private final int initial;
  final BlockingQueue<A> got = new LinkedBlockingQueue<>();
  final CompletableFuture<Status> ended = new CompletableFuture<>();

  /** Takes answers as they come. */
  Answers() {
    this(Integer.MAX_VALUE);
  }

  /**
   * Takes no more answers than it asks for.
   *
   * @param initial asked for at first
   */
  Answers(int initial) {
    this.initial = initial;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<Q> call) {
    call.disableAutoRequestWithInitial(initial);
  }

  @Override
  public void onNext(A answer) {
    got.add(answer);
  }

  @Override
  public void onError(Throwable failure) {
    ended.complete(Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    ended.complete(Status.OK);
  }

  A next() throws InterruptedException {
    return requireNonNull(got.poll(20, TimeUnit.SECONDS), () -> "no answer; " + ended);
  }

  Status end() throws Exception {
    return ended.get(20, TimeUnit.SECONDS);
  }
}
