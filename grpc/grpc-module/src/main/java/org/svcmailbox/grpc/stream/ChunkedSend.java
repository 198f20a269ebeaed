package org.svcmailbox.grpc.stream;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.grpc.message.KnownFields;
import org.svcmailbox.proto.v1.Chunk;
import org.svcmailbox.proto.v1.SendHead;
import org.svcmailbox.proto.v1.SendRequest;

/** A message whose payload arrives in chunks of at most {@code stream_chunk} bytes. */
final class ChunkedSend {
  private final SendRequest message;
  private final long size;
  private final int mostOfChunk;
  private final List<ByteString> chunks = new ArrayList<>();
  private final CapacityLimit ofAll;
  private long arrived;

  /**
   * Begins a message.
   *
   * @param bounds the limits of one request
   * @param ofAll the limit of all calls' chunk bytes
   * @throws FrameTooLargeException before any of its chunks is read
   * @throws SchemaException when the head has a payload or no size
   */
  ChunkedSend(SendHead head, MailboxSettings.Request bounds, CapacityLimit ofAll) {
    KnownFields.check(head);
    if (!head.getMessage().getPayload().isEmpty()) {
      throw new SchemaException("head.message.payload", "must be empty: chunks follow");
    }
    if (head.getSize() < 1) {
      throw new SchemaException("head.size", "must be at least 1");
    }
    if (head.getSize() > bounds.maxFrame()) {
      throw new FrameTooLargeException("the payload", bounds.maxFrame());
    }
    this.message = head.getMessage();
    this.size = head.getSize();
    this.ofAll = ofAll;
    this.mostOfChunk = bounds.streamChunk();
  }

  /**
   * Adds a chunk; returns whether the payload is complete.
   *
   * @throws org.svcmailbox.core.problem.SaturatedException when too much arrives in all
   * @throws SchemaException for a chunk that is empty, too large, or not as the head announced
   */
  boolean add(Chunk chunk) {
    KnownFields.check(chunk);
    int more = chunk.getData().size();
    if (more < 1 || more > mostOfChunk) {
      throw new SchemaException("chunk.data", "must have 1 to " + mostOfChunk + " bytes");
    }
    long with = arrived + more;
    if (with > size || (chunk.getLast() && with < size)) {
      throw new SchemaException("chunk.data", "the chunks are not as long as the head says");
    }
    if (!ofAll.tryAdd(more)) {
      throw ofAll.refusal().asSaturated();
    }
    arrived = with;
    chunks.add(chunk.getData());
    return chunk.getLast();
  }

  /** Stops counting its bytes, because they are being handled or discarded. */
  void release() {
    ofAll.remove(arrived);
    arrived = 0;
  }

  /** The whole message. */
  SendRequest message() {
    return message.toBuilder().setPayload(ByteString.copyFrom(chunks)).build();
  }
}
