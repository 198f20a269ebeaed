package org.svcmailbox.web.delivery;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.web.answer.Content;
import org.svcmailbox.web.servlet.Peer;

/** The messages of a RECV. */
final class LeasedAnswer implements Content {
  private final byte[] bytes;
  private final int length;
  private final boolean isOwned;
  private final Peer peer;

  private LeasedAnswer(byte[] bytes, int length, boolean isOwned, Peer peer) {
    this.bytes = bytes;
    this.length = length;
    this.isOwned = isOwned;
    this.peer = peer;
  }

  /**
   * Wraps bytes that belong to this answer alone; their array is erased on release.
   *
   * @param bytes from the start of their array to the limit
   */
  @SuppressWarnings("ByteBufferBackingArray") // the caller wrapped it
  static LeasedAnswer of(ByteBuffer bytes, Peer peer) {
    return new LeasedAnswer(bytes.array(), bytes.limit(), true, peer);
  }

  /** Wraps a payload that its lease owns. */
  static LeasedAnswer of(Payload payload, Peer peer) {
    return new LeasedAnswer(payload.bytes(), payload.size(), false, peer);
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public void writeTo(OutputStream output, int from, int count) throws IOException {
    if (peer.isGone()) {
      throw new IOException("the client is gone");
    }
    output.write(bytes, from, count);
  }

  @Override
  public void release() {
    if (isOwned) {
      Arrays.fill(bytes, (byte) 0);
    }
  }
}
