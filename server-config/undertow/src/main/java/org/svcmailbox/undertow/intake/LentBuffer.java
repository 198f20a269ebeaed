package org.svcmailbox.undertow.intake;

import io.undertow.connector.PooledByteBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Memory that counts against a budget until it is closed. Undertow closes what was put back into a
 * request as soon as the application has read it, or else when the request ends.
 */
final class LentBuffer implements PooledByteBuffer {
  private final AtomicLong budget;
  private final ByteBuffer buffer;
  private final AtomicBoolean isOpen = new AtomicBoolean(true);

  private LentBuffer(AtomicLong budget, int size) {
    this.budget = budget;
    this.buffer = ByteBuffer.allocate(size);
  }

  /** Memory of a size, or null when that would exceed what there is in all. */
  static @Nullable LentBuffer of(AtomicLong budget, int size, long inAll) {
    return Counts.enter(budget, size, inAll) ? new LentBuffer(budget, size) : null;
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
      budget.addAndGet(-buffer.capacity());
    }
  }
}
