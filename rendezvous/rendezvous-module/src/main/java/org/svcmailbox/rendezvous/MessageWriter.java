package org.svcmailbox.rendezvous;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/** Writes one message without blocking. */
final class MessageWriter implements WriteListener {
  private static final Logger LOG = System.getLogger(MessageWriter.class.getName());

  private final ServletOutputStream output;
  private final byte[] body;
  private final Consumer<Boolean> done;
  private int step;
  private boolean isOver;

  private MessageWriter(ServletOutputStream output, byte[] body, Consumer<Boolean> done) {
    this.output = output;
    this.body = body;
    this.done = done;
  }

  /**
   * @param done called once: with true when the stream has accepted the last byte, with false on
   *     failure
   */
  static void begin(ServletOutputStream output, byte[] body, Consumer<Boolean> done) {
    output.setWriteListener(new MessageWriter(output, body, done));
  }

  @Override
  public void onWritePossible() {
    try {
      // Each call of the stream needs an isReady() that returned true. After false, the server
      // calls this method again.
      while (!isOver && output.isReady()) {
        switch (step++) {
          case 0 -> output.write(body);
          case 1 -> output.flush();
          default -> end(true);
        }
      }
    } catch (IOException e) {
      onError(e);
    }
  }

  @Override
  public void onError(Throwable failure) {
    LOG.log(Level.DEBUG, "Could not write a message: {0}", failure.toString());
    end(false);
  }

  private void end(boolean isWritten) {
    if (!isOver) {
      isOver = true;
      done.accept(isWritten);
    }
  }
}
