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
   * @param write runs once, when {@code output} is ready
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
      if (!isWritten) {
        isWritten = true;
        write.run();
      }
      // The server buffers what the client has not read, and calls again when it is sent.
      if (output.isReady()) {
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
