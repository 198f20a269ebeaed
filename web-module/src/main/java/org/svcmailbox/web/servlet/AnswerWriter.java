package org.svcmailbox.web.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Iterator;
import java.util.List;

/** Writes an answer without blocking; the server calls the listener when it can write. */
final class AnswerWriter implements WriteListener {
  /** One part of writing an answer. */
  interface Step {
    void run() throws IOException;
  }

  /** An action after the last byte or a failure. */
  interface End {
    /**
     * Runs the action.
     *
     * @param isWritten whether the server's stream has accepted all bytes
     */
    void run(boolean isWritten);
  }

  private static final Logger LOG = System.getLogger(AnswerWriter.class.getName());

  private final ServletOutputStream output;
  private final Iterator<Step> steps;
  private final End end;

  /**
   * @param steps run once each, when {@code output} is ready; each calls {@code output} at most
   *     once
   * @param end runs when {@code output} is ready after the last step, and after any failure
   */
  AnswerWriter(ServletOutputStream output, List<Step> steps, End end) {
    this.output = output;
    this.steps = steps.iterator();
    this.end = end;
  }

  @Override
  public void onWritePossible() {
    try {
      // Each call needs an isReady() that returned true. After false, the server calls again once
      // it has sent its buffer.
      while (output.isReady()) {
        if (!steps.hasNext()) {
          end.run(true);
          return;
        }
        steps.next().run();
      }
    } catch (IOException | RuntimeException e) {
      onError(e);
    }
  }

  @Override
  public void onError(Throwable failure) {
    // The client is gone, which is no failure of the service.
    LOG.log(Level.DEBUG, "Could not write an answer: {0}", failure.toString());
    end.run(false);
  }
}
