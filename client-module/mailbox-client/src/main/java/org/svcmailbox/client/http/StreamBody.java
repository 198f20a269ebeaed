package org.svcmailbox.client.http;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The body of an open-ended response, read line by line. The response is available with its
 * headers. Asks for bytes only while its sink wants lines; otherwise the connection fills up and
 * slows the service down.
 */
final class StreamBody implements BodySubscriber<byte[]> {
  /** The receiver of the lines, on threads of the HTTP client. */
  interface Sink {
    /**
     * Takes complete lines, in order.
     *
     * @return whether more may come now; else {@link StreamBody#more} says so later
     */
    boolean lines(List<byte[]> lines);

    /** No more lines come: the connection ended. */
    void over(@Nullable Throwable failure);

    /** No more lines come: one is too long, or there is no memory for it. */
    void unreadable(Throwable failure);
  }

  private final LineSplitter splitter;
  private final Sink sink;
  private final AtomicBoolean stalled = new AtomicBoolean();
  private final AtomicBoolean isCut = new AtomicBoolean();
  private volatile Flow.@Nullable Subscription subscription;

  StreamBody(int maxLine, Sink sink) {
    this.splitter = new LineSplitter(maxLine);
    this.sink = sink;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return CompletableFuture.completedFuture(new byte[0]);
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    if (isCut.get()) {
      given.cancel();
    } else {
      given.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    if (isCut.get()) {
      return;
    }
    // Before the sink has the lines: it may want more while this still runs.
    stalled.set(true);
    try {
      if (sink.lines(splitter.lines(buffers))) {
        more();
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      cut();
      sink.unreadable(e);
    }
  }

  @Override
  public void onError(Throwable failure) {
    sink.over(failure);
  }

  @Override
  public void onComplete() {
    sink.over(null);
  }

  /** Whether the response has begun. */
  boolean hasBegun() {
    return subscription != null;
  }

  /** Asks for more, if the sink wanted none. */
  void more() {
    Flow.Subscription given = subscription;
    if (given != null && stalled.compareAndSet(true, false)) {
      given.request(1);
    }
  }

  /** Closes the connection, even if the response has not begun. */
  void cut() {
    isCut.set(true);
    Flow.Subscription given = subscription;
    if (given != null) {
      given.cancel();
    }
  }
}
