package org.svcmailbox.client.grpc;

import com.google.protobuf.ByteString;
import java.io.IOException;
import org.svcmailbox.proto.v1.Chunk;
import org.svcmailbox.proto.v1.Delivery;

/** A delivery whose payload arrives in chunks. */
final class ChunkedDelivery {
  private final Delivery head;
  private final byte[] payload;
  private int filled;

  /**
   * Starts with the head.
   *
   * @param largest the most bytes of a payload
   * @throws IOException if the payload would be larger
   */
  ChunkedDelivery(Delivery head, int largest) throws IOException {
    long size = head.getChunkedSize();
    if (size < 1 || size > largest) {
      throw new IOException(
          "a payload of " + Long.toUnsignedString(size) + " bytes, above " + largest);
    }
    this.head = head;
    this.payload = new byte[(int) size];
  }

  Delivery head() {
    return head;
  }

  /** The payload, once it is complete. */
  byte[] payload() {
    return payload;
  }

  /**
   * Adds the next chunk.
   *
   * @return whether the payload is complete
   * @throws IOException if the chunk is empty, does not fit, or ends too early or too late
   */
  boolean add(Chunk chunk) throws IOException {
    ByteString data = chunk.getData();
    if (data.isEmpty() || data.size() > payload.length - filled) {
      throw new IOException(
          "a chunk of " + data.size() + " bytes where " + (payload.length - filled) + " are left");
    }
    data.copyTo(payload, filled);
    filled += data.size();
    boolean isComplete = filled == payload.length;
    if (chunk.getLast() != isComplete) {
      throw new IOException("the last chunk is not where the payload ends");
    }
    return isComplete;
  }
}
