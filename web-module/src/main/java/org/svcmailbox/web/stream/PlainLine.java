package org.svcmailbox.web.stream;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;

/** A line that is in memory as a whole. */
final class PlainLine implements Line {
  private final ByteBuffer bytes;

  /**
   * @param bytes including the end of the line
   */
  PlainLine(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  @Override
  public int weight() {
    return 0;
  }

  @Override
  public @Nullable TraceContext sender() {
    return null;
  }

  @Override
  public boolean isMessage() {
    return false;
  }

  @Override
  public int left() {
    return bytes.remaining();
  }

  @Override
  public boolean copy(ByteBuffer to) {
    int count = Math.min(bytes.remaining(), to.remaining());
    to.put(bytes.slice(bytes.position(), count));
    bytes.position(bytes.position() + count);
    return !bytes.hasRemaining();
  }
}
