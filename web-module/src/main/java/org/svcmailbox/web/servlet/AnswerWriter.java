package org.svcmailbox.web.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * An answer on its way to a client, without a thread that waits for it: the server calls when there
 * is something to do, one call at a time.
 */
final class AnswerWriter implements WriteListener {
  /** Writes an answer, all of it at once. */
  interface Write {
    void run() throws IOException;
  }

  private static final Logger LOG = System.getLogger(AnswerWriter.class.getName());

  private final ServletOutputStream output;
  private final Write write;
  private final Runnable end;
  private boolean isWritten;

  /**
   * @param write called once, when {@code output} takes something
   * @param end called once, when it has taken everything or never will
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
      // What the client has not taken the server keeps, and calls again when that is gone.
      if (output.isReady()) {
        end.run();
      }
    } catch (IOException e) {
      onError(e);
    }
  }

  @Override
  public void onError(Throwable failure) {
    // There is nobody left to be told, and nothing went wrong here.
    LOG.log(Level.DEBUG, "An answer could not be written: {0}", failure.toString());
    end.run();
  }
}
