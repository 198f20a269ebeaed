package org.svcmailbox.grpc.stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import org.svcmailbox.proto.v1.Chunk;
import org.svcmailbox.proto.v1.RecvEvent;

/** A payload that is being sent to a client, a chunk at a time. */
final class PayloadChunks {
  private final byte[] payload;
  private final int chunk;
  private int written;

  /**
   * @param chunk the most bytes of a chunk
   */
  PayloadChunks(byte[] payload, int chunk) {
    this.payload = payload;
    this.chunk = chunk;
  }

  boolean isWritten() {
    return written == payload.length;
  }

  /** The next chunk. It shares the payload's array, so it must be written at once. */
  RecvEvent next() {
    int count = Math.min(chunk, payload.length - written);
    ByteString data = UnsafeByteOperations.unsafeWrap(payload, written, count);
    written += count;
    return RecvEvent.newBuilder()
        .setChunk(Chunk.newBuilder().setData(data).setLast(isWritten()))
        .build();
  }
}
