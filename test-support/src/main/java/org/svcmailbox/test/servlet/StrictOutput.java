package org.svcmailbox.test.servlet;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slowest output that the contract allows. As on Open Liberty, each write and each flush needs
 * an {@code isReady()} that returned true on the same thread. The next one then returns false, and
 * the listener is called on the server's thread.
 */
public final class StrictOutput extends ServletOutputStream implements AutoCloseable {
  private final ServerThread thread = new ServerThread();
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private final List<String> calls = new ArrayList<>();
  private @Nullable WriteListener listener;
  private boolean isFree = true;
  private @Nullable Thread permitted;

  @Override
  public synchronized boolean isReady() {
    if (isFree) {
      permitted = Thread.currentThread();
      return true;
    }
    permitted = null;
    isFree = true;
    callListener();
    return false;
  }

  @Override
  public synchronized void setWriteListener(WriteListener first) {
    if (listener != null) {
      throw new IllegalStateException("There is a listener already");
    }
    listener = first;
    callListener();
  }

  private void callListener() {
    WriteListener called = requireNonNull(listener);
    thread.call(called::onWritePossible, called::onError);
  }

  @Override
  public void write(int octet) {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    use("write");
    taken.write(bytes, offset, length);
  }

  @Override
  public synchronized void flush() {
    use("flush");
  }

  private void use(String call) {
    calls.add(call);
    if (permitted != Thread.currentThread()) {
      throw new IllegalStateException(call + " without isReady()");
    }
    permitted = null;
    isFree = false;
  }

  /** The calls that wrote or flushed, refused ones included. */
  public synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  /** The bytes written. */
  public synchronized byte[] taken() {
    return taken.toByteArray();
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
