package org.svcmailbox.web.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Notes that the server has answered by itself, because nobody else did. */
record TimeoutListener(Runnable noted) implements AsyncListener {
  @Override
  public void onTimeout(AsyncEvent event) {
    noted.run();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    // Answered.
  }

  @Override
  public void onError(AsyncEvent event) {
    noted.run();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // Never happens: a door suspends a request once.
  }
}
