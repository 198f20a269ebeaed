package org.svcmailbox.core.stream;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.SchemaException;

/**
 * A checked request for a stream.
 *
 * @param visibility the lease of each message from its hand-out; null for the topic's default
 * @param shard null for all
 * @param window the most unsettled messages; 0 only with {@code resume}, to give back the messages
 *     after its {@code last} and receive nothing
 * @param windowBytes the most unsettled payload bytes; the last message may exceed them
 * @param resume the stream that it continues; null for none
 * @param life how long it may last; null for the service's limit
 */
public record StreamRequest(
    TopicName topic,
    @Nullable Duration visibility,
    @Nullable Integer shard,
    int window,
    long windowBytes,
    OnClose onClose,
    @Nullable Resume resume,
    @Nullable Duration life) {
  public static final int DEFAULT_WINDOW = 100;
  public static final int MAX_WINDOW = 1_000;
  public static final long DEFAULT_WINDOW_BYTES = 1 << 20;
  public static final long MAX_WINDOW_BYTES = 8 << 20;

  /** The fate of unsettled messages when the client is gone. */
  public enum OnClose {
    /** Their leases expire, unless the client resumes. */
    KEEP,
    /** They fail at once, as if nacked. */
    NACK
  }

  /**
   * A stream that was cut.
   *
   * @param stream its id
   * @param last the number of the last message that arrived whole; 0 for none
   */
  public record Resume(String stream, long last) {
    public Resume {
      require(!stream.isEmpty() && stream.length() <= 64, "resume.stream", "1 to 64 characters");
      require(last >= 0, "resume.last", "at least 0");
    }
  }

  public StreamRequest(
      TopicName topic,
      @Nullable Duration visibility,
      @Nullable Integer shard,
      int window,
      long windowBytes,
      OnClose onClose,
      @Nullable Resume resume) {
    this(topic, visibility, shard, window, windowBytes, onClose, resume, null);
  }

  public StreamRequest {
    int least = resume == null ? 1 : 0;
    require(window >= least && window <= MAX_WINDOW, "window", least + " to " + MAX_WINDOW);
    require(
        windowBytes >= 1 && windowBytes <= MAX_WINDOW_BYTES,
        "window_bytes",
        "1 to " + MAX_WINDOW_BYTES);
    require(shard == null || shard >= 0, "shard", "at least 0");
  }

  /** A copy whose stream lasts at most this long. */
  public StreamRequest lasting(Duration most) {
    return new StreamRequest(topic, visibility, shard, window, windowBytes, onClose, resume, most);
  }

  /** A RECV that waits for at most so many messages and payload bytes. */
  RecvRequest recv(int messages, long bytes) {
    int most = Math.min(RecvRequest.MAX_MESSAGES, messages);
    return new RecvRequest(
        topic, visibility, most, Math.max(1, bytes), RecvRequest.MAX_WAIT, shard);
  }

  private static void require(boolean holds, String field, String range) {
    if (!holds) {
      throw new SchemaException(field, "must be " + range);
    }
  }
}
