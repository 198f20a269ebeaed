package org.svcmailbox.web.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Writes an answer without blocking; the server calls the listener when it can write. */
final class AnswerWriter implements WriteListener {
  /** Writes the whole answer. */
  interface Write {
    void run() throws IOException;
  }

  private static final Logger LOG = System.getLogger(AnswerWriter.class.getName());

  private final ServletOutputStream output;
  private final Write write;
  private final Runnable end;
  private boolean isWritten;

  /**
   * @param write runs once, when {@code output} is ready; it makes at most one call of {@code
   *     output}
   * @param end runs once, after the last byte or a failure
   */
  AnswerWriter(ServletOutputStream output, Write write, Runnable end) {
    this.output = output;
    this.write = write;
    this.end = end;
  }

  @Override
  public void onWritePossible() {
    try {
      // Each write needs an isReady() that returned true. After false the server calls again, once
      // it has sent what it buffers.
      if (!isWritten && output.isReady()) {
        isWritten = true;
        write.run();
      }
      if (isWritten && output.isReady()) {
        end.run();
      }
    } catch (IOException e) {
      onError(e);
    }
  }

  @Override
  public void onError(Throwable failure) {
    // The client is gone, which is not a failure of the service.
    LOG.log(Level.DEBUG, "Could not write an answer: {0}", failure.toString());
    end.run();
  }
}
