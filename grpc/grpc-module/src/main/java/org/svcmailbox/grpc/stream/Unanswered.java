package org.svcmailbox.grpc.stream;

import java.util.HashMap;
import java.util.Map;
import org.svcmailbox.core.problem.SchemaException;

/** The unanswered frames of a call, and their bytes. Any thread. */
final class Unanswered {
  /** The most unanswered messages of a call. */
  static final int MOST_MESSAGES = 512;

  /** The most unanswered bytes of a call; a single frame may exceed them. */
  static final long MOST_BYTES = 4 << 20;

  private record Frame(int messages, long bytes) {}

  private final Map<Long, Frame> frames = new HashMap<>();
  private int messages;
  private long bytes;

  /**
   * Counts a frame until {@link #answered}.
   *
   * @throws SchemaException if its id is outstanding
   */
  synchronized void add(long id, int count, long size) {
    requireFree(id);
    frames.put(id, new Frame(count, size));
    messages += count;
    bytes += size;
  }

  /** Throws {@link SchemaException} if the id is outstanding. */
  synchronized void requireFree(long id) {
    if (frames.containsKey(id)) {
      throw new SchemaException("id", "is outstanding");
    }
  }

  synchronized void answered(long id) {
    Frame frame = frames.remove(id);
    if (frame != null) {
      messages -= frame.messages();
      bytes -= frame.bytes();
    }
  }

  /** Whether another frame may be read. */
  synchronized boolean hasRoom() {
    return messages < MOST_MESSAGES && bytes < MOST_BYTES;
  }

  synchronized boolean isEmpty() {
    return frames.isEmpty();
  }
}
