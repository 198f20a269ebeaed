package org.svcmailbox.test.servlet;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A body that arrives part by part. Each read needs an {@code isReady()} that returned true; the
 * next one then returns false, and the listener is called on the server's thread. Like some
 * servers, it is ready for ever once a read has met the end; reading on is refused.
 */
public final class StrictInput extends ServletInputStream {
  private final ServerThread thread = new ServerThread();
  private final Deque<byte[]> parts;
  private @Nullable ReadListener listener;
  private boolean hasArrived = true;
  private boolean isPermitted;
  private boolean isFinished;

  public StrictInput(List<byte[]> parts) {
    this.parts = new ArrayDeque<>(parts);
  }

  @Override
  public synchronized boolean isFinished() {
    return isFinished;
  }

  @Override
  public synchronized boolean isReady() {
    isPermitted = hasArrived || isFinished;
    if (!isPermitted) {
      hasArrived = true;
      callListener();
    }
    return isPermitted;
  }

  @Override
  public synchronized void setReadListener(ReadListener first) {
    if (listener != null) {
      throw new IllegalStateException("There is a listener already");
    }
    listener = first;
    callListener();
  }

  private void callListener() {
    ReadListener called = requireNonNull(listener);
    thread.call(
        () -> {
          called.onDataAvailable();
          if (isFinished()) {
            called.onAllDataRead();
          }
        },
        called::onError);
  }

  @Override
  public int read() {
    byte[] octet = new byte[1];
    return read(octet, 0, 1) < 0 ? -1 : octet[0] & 0xff;
  }

  @Override
  public synchronized int read(byte[] buffer, int offset, int length) {
    if (!isPermitted || isFinished) {
      throw new IllegalStateException(isFinished ? "read after the end" : "read without isReady()");
    }
    isPermitted = false;
    hasArrived = false;
    byte[] part = parts.poll();
    if (part == null) {
      isFinished = true;
      return -1;
    }
    int count = Math.min(length, part.length);
    System.arraycopy(part, 0, buffer, offset, count);
    if (count < part.length) {
      parts.addFirst(Arrays.copyOfRange(part, count, part.length));
    }
    return count;
  }

  /** Waits until the server's thread has nothing to do. */
  public void settle() {
    thread.settle();
  }

  @Override
  public void close() {
    thread.close();
  }
}
