package org.svcmailbox.web.metrics;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.concurrent.atomic.AtomicBoolean;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.web.servlet.StreamedAnswer;

/**
 * Records how long a request took, or for a streamed answer the time until it began. It registers
 * its listener when the request is suspended, because another thread may complete the request
 * before this one returns.
 */
final class TimedRequest extends HttpServletRequestWrapper {
  private final Histogram times;
  private final long startNanos;
  private final AtomicBoolean isRecorded = new AtomicBoolean();
  private boolean suspended;

  /**
   * @param startNanos {@link System#nanoTime} at its start
   */
  TimedRequest(HttpServletRequest request, Histogram times, long startNanos) {
    super(request);
    this.times = times;
    this.startNanos = startNanos;
  }

  /** Call it when the request's own thread returns. */
  void threadReleased() {
    if (!suspended) {
      recordDuration();
    }
  }

  @Override
  public AsyncContext startAsync() {
    return withListener(super.startAsync());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    return withListener(super.startAsync(request, response));
  }

  private AsyncContext withListener(AsyncContext context) {
    suspended = true;
    context.addListener(new Completion());
    return context;
  }

  /** A streamed answer is measured until it begins, because its length is the client's choice. */
  @Override
  public void setAttribute(String name, Object value) {
    super.setAttribute(name, value);
    if (name.equals(StreamedAnswer.ATTRIBUTE)) {
      recordDuration();
    }
  }

  private void recordDuration() {
    if (isRecorded.compareAndSet(false, true)) {
      times.record(System.nanoTime() - startNanos);
    }
  }

  private final class Completion implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      recordDuration();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      // The server calls onComplete next.
    }

    @Override
    public void onError(AsyncEvent event) {
      // The server calls onComplete next.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
