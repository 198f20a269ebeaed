package org.svcmailbox.web.metrics;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.svcmailbox.core.metrics.Histogram;

/**
 * A request that notes once how long it took. It begins to listen when it is suspended, not when
 * its thread leaves it: another thread may have answered by then.
 */
final class TimedRequest extends HttpServletRequestWrapper {
  private final Histogram times;
  private final long since;
  private boolean suspended;

  /**
   * @param since when it began, as {@link System#nanoTime} has it
   */
  TimedRequest(HttpServletRequest request, Histogram times, long since) {
    super(request);
    this.times = times;
    this.since = since;
  }

  /** Its thread is done with it. */
  void left() {
    if (!suspended) {
      ended();
    }
  }

  @Override
  public AsyncContext startAsync() {
    return listened(super.startAsync());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    return listened(super.startAsync(request, response));
  }

  private AsyncContext listened(AsyncContext context) {
    suspended = true;
    context.addListener(new Completion());
    return context;
  }

  private void ended() {
    times.record(System.nanoTime() - since);
  }

  private final class Completion implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      ended();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      // Is answered, and then complete.
    }

    @Override
    public void onError(AsyncEvent event) {
      // Is answered, and then complete.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
