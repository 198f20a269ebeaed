package org.svcmailbox.web.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Reports that the server ended the request, by timeout or error. */
record TimeoutListener(Runnable noted) implements AsyncListener {
  @Override
  public void onTimeout(AsyncEvent event) {
    noted.run();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    // The answer is written.
  }

  @Override
  public void onError(AsyncEvent event) {
    noted.run();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // Never happens: a request is suspended once.
  }
}
