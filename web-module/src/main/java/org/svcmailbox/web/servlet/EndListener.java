package org.svcmailbox.web.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/**
 * Reports the end of a suspended request.
 *
 * @param cut runs when the server ends it, by timeout or error
 * @param completed runs when its answer is complete
 */
record EndListener(Runnable cut, Runnable completed) implements AsyncListener {
  @Override
  public void onTimeout(AsyncEvent event) {
    cut.run();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    completed.run();
  }

  @Override
  public void onError(AsyncEvent event) {
    cut.run();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // Never called: a request is suspended once.
  }
}
