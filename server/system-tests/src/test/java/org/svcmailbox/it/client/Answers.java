package org.svcmailbox.it.client;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The answers of a gRPC call, in order, and its status. */
public final class Answers<A> implements StreamObserver<A> {
  private static final int PATIENCE_SECONDS = 30;

  private final BlockingQueue<A> arrived = new LinkedBlockingQueue<>();
  private final CompletableFuture<Status> ended = new CompletableFuture<>();

  @Override
  public void onNext(A answer) {
    arrived.add(answer);
  }

  @Override
  public void onError(Throwable failure) {
    ended.complete(Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    ended.complete(Status.OK);
  }

  /** The next answer; fails without one. */
  public A next() throws InterruptedException {
    return requireNonNull(
        arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> "no answer; " + ended);
  }

  /** How the call ended. */
  public Status end() throws Exception {
    return ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}
