package org.svcmailbox.undertow.intake;

import io.undertow.connector.PooledByteBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Memory that counts against a budget until it is closed. Undertow closes what was put back into a
 * request as soon as the application has read it, or when the request ends.
 */
final class LentBuffer implements PooledByteBuffer {
  /** A budget, or an owner's share of it. */
  interface Lender {
    boolean take(int bytes);

    void give(int bytes);
  }

  /** A budget without shares. */
  record Budget(AtomicLong used, long most) implements Lender {
    @Override
    public boolean take(int bytes) {
      return Counts.enter(used, bytes, most);
    }

    @Override
    public void give(int bytes) {
      used.addAndGet(-bytes);
    }
  }

  private final Lender lender;
  private final ByteBuffer buffer;
  private final AtomicBoolean isOpen = new AtomicBoolean(true);

  private LentBuffer(Lender lender, int size) {
    this.lender = lender;
    this.buffer = ByteBuffer.allocate(size);
  }

  /** Memory of a size; null if that would exceed the budget. */
  static @Nullable LentBuffer of(Lender lender, int size) {
    return lender.take(size) ? new LentBuffer(lender, size) : null;
  }

  @Override
  public ByteBuffer getBuffer() {
    return buffer;
  }

  @Override
  public boolean isOpen() {
    return isOpen.get();
  }

  @Override
  public void close() {
    if (isOpen.compareAndSet(true, false)) {
      lender.give(buffer.capacity());
    }
  }
}
