package org.svcmailbox.rendezvous;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Reads one body without blocking, up to the size limit. */
final class MessageBody implements ReadListener {
  private static final Logger LOG = System.getLogger(MessageBody.class.getName());
  private static final int CHUNK = 8 << 10;

  /** Receives the result; exactly one of its methods is called, once. */
  interface Receiver {
    void received(byte[] body);

    /** The body exceeds the limit. The rest stays unread. */
    void tooLarge();

    /** The client disconnected before the body's end. */
    void broken();
  }

  private final ServletInputStream input;
  private final int max;
  private final Receiver receiver;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(CHUNK);
  private final byte[] chunk = new byte[CHUNK];
  private boolean isOver;

  /**
   * @param max the most bytes of the body
   */
  MessageBody(ServletInputStream input, int max, Receiver receiver) {
    this.input = input;
    this.max = max;
    this.receiver = receiver;
  }

  @Override
  public void onDataAvailable() throws IOException {
    // After the end, some servers are always ready, and others wait for the last isReady().
    while (!isOver && input.isReady() && !input.isFinished()) {
      int count = input.read(chunk);
      if (count > 0) {
        append(count);
      }
    }
  }

  private void append(int count) {
    if (bytes.size() + count > max) {
      isOver = true;
      receiver.tooLarge();
    } else {
      bytes.write(chunk, 0, count);
    }
  }

  @Override
  public void onAllDataRead() {
    if (!isOver) {
      isOver = true;
      receiver.received(bytes.toByteArray());
    }
  }

  @Override
  public void onError(Throwable failure) {
    LOG.log(Level.DEBUG, "A request body ended early: {0}", failure.toString());
    if (!isOver) {
      isOver = true;
      receiver.broken();
    }
  }
}
