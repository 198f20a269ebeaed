package org.svcmailbox.web;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.stream.StreamOutput;
import org.svcmailbox.core.stream.StreamRequest;
import org.svcmailbox.core.stream.StreamService;

/** Streams that do as a test says. */
public final class FakeStreams implements StreamService {
  private static final long PATIENCE_SECONDS = 10;

  /** May refuse; a test replaces it. */
  public volatile Consumer<StreamRequest> onOpen = request -> {};

  private final BlockingQueue<Opened> opened = new LinkedBlockingQueue<>();

  /**
   * An open stream.
   *
   * @param readiness one permit per call
   */
  public record Opened(
      StreamRequest request,
      StreamOutput output,
      Semaphore readiness,
      CompletableFuture<Void> isCut)
      implements OpenStream {
    @Override
    public String id() {
      return "s-1";
    }

    @Override
    public int window() {
      return request.window();
    }

    @Override
    public void ready() {
      readiness.release();
    }

    @Override
    public void cut() {
      isCut.complete(null);
    }

    @Override
    public void credit(long messages, long bytes) {
      throw new UnsupportedOperationException("nothing of NDJSON gives credit");
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException("a client of NDJSON hangs up");
    }

    /** Whether the output says that it is ready in this time. */
    boolean isReadyWithin(Duration time) throws InterruptedException {
      return readiness.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits until the output says that it is ready. */
    public void awaitReady() throws InterruptedException {
      if (!readiness.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the output is not ready");
      }
    }
  }

  @Override
  public OpenStream open(Caller caller, StreamRequest request, Door door, StreamOutput output) {
    onOpen.accept(request);
    Opened stream = new Opened(request, output, new Semaphore(0), new CompletableFuture<>());
    opened.add(stream);
    return stream;
  }

  /** The next stream that was opened. */
  public Opened next() throws InterruptedException {
    return requireNonNull(opened.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), "no stream");
  }

  boolean isUntouched() {
    return opened.isEmpty();
  }
}
