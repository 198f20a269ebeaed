package org.svcmailbox.undertow.framing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.undertow.framing.Framing.Verdict;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;

/**
 * The reading side of a connection, below Undertow. It passes on only well-framed requests. A bad
 * head is answered here once Undertow asks for the next request, and so after all answers before
 * it; then the connection ends. Bad chunks are reported by {@link #isBroken}, because their request
 * is already in progress.
 */
public final class FramingSource extends CheckedSource {
  private static final String ANSWER =
      "HTTP/1.1 %s\r\nConnection: close\r\nContent-Type: application/problem+json\r\n"
          + "Content-Length: %d\r\n\r\n%s";
  private static final String PROBLEM =
      "{\"type\":\"urn:svc-mailbox:problem:E_SCHEMA\",\"title\":\"The request is malformed\","
          + "\"status\":%s,\"detail\":\"%s\",\"code\":\"E_SCHEMA\",\"reason\":\"%s\"}";

  /**
   * For how long, and how much of, a large head is discarded, so that its client can read the
   * answer.
   */
  private static final int LINGER_SECONDS = 2;

  private static final long LINGER_BYTES = 4L << 20;

  private static final Set<StreamConnection> BROKEN =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final StreamConnection connection;
  private final Framing framing = new Framing();
  private Verdict verdict = Verdict.GOOD;
  private boolean isNextAskedFor;
  private boolean isTold;
  private boolean isAnswered;
  private long discarded;
  private byte[] held = {};

  private FramingSource(StreamConnection connection) {
    super(connection.getSourceChannel().getConduit());
    this.connection = connection;
  }

  /** Checks everything that a connection brings from now on. */
  static void guard(StreamConnection connection) {
    connection.getSourceChannel().setConduit(new FramingSource(connection));
  }

  /**
   * Releases a connection that turned out to be HTTP/2. Until then it has got only the first line
   * of its preface.
   *
   * @return the other bytes that it has brought
   */
  static byte[] letGo(StreamConnection connection) {
    if (connection.getSourceChannel().getConduit() instanceof FramingSource source) {
      connection.getSourceChannel().setConduit(source.next);
      return source.held;
    }
    return new byte[0];
  }

  /**
   * Whether the chunks of a body are malformed. The next read finds nothing, so that the request
   * can be answered. The read after that fails, and Undertow closes the connection.
   */
  public static boolean isBroken(StreamConnection connection) {
    return BROKEN.contains(connection);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (verdict != Verdict.GOOD) {
      return refuse(target);
    }
    int from = target.position();
    int count = next.read(target);
    if (count <= 0) {
      return count;
    }
    verdict = framing.look(target, from, from + count);
    if (verdict == Verdict.GOOD) {
      return count;
    }
    if (verdict == Verdict.HTTP2) {
      int begun = framing.wrongAt() + 1;
      held = new byte[from + count - begun];
      target.position(begun).get(held).position(begun);
      isNextAskedFor = true;
      return begun - from;
    }
    if (verdict == Verdict.BAD_BODY) {
      BROKEN.add(connection);
    }
    (verdict == Verdict.LARGE_HEAD ? Refusals.HEAD_TOO_LARGE : Refusals.FRAMING).increment();
    int good = verdict == Verdict.BAD_BODY ? framing.wrongAt() : framing.requestStart();
    target.position(Math.max(good, from));
    if (good > from) {
      return good - from;
    }
    // Undertow has begun to read the head, so no answer is in progress.
    isNextAskedFor = good < 0;
    return refuse(target);
  }

  private int refuse(ByteBuffer target) throws IOException {
    if (verdict == Verdict.BAD_BODY) {
      if (isTold) {
        throw new IOException("malformed chunk");
      }
      isTold = true;
      return 0;
    }
    if (!isNextAskedFor) {
      return 0;
    }
    if (!isAnswered) {
      isAnswered = true;
      answer();
    }
    return verdict == Verdict.LARGE_HEAD ? discard(target) : -1;
  }

  private void answer() throws IOException {
    switch (verdict) {
      case LARGE_HEAD -> {
        answer("431 Request Header Fields Too Large", "more than 64 KiB or 200 fields", "head");
        getReadThread()
            .executeAfter(() -> IoUtils.safeClose(connection), LINGER_SECONDS, TimeUnit.SECONDS);
      }
      case BAD_TARGET ->
          answer("400 Bad Request", "malformed target, or more than 1000 parameters", "target");
      case UNKNOWN_CODING -> answer("501 Not Implemented", "unknown transfer coding", "framing");
      default -> answer("400 Bad Request", "malformed or ambiguous request head", "framing");
    }
  }

  private void answer(String status, String detail, String reason) throws IOException {
    String problem = PROBLEM.formatted(status.substring(0, 3), detail, reason);
    ByteBuffer answer =
        ByteBuffer.wrap(ANSWER.formatted(status, problem.length(), problem).getBytes(US_ASCII));
    // One attempt: a client that reads nothing gets no answer.
    connection.getSinkChannel().write(answer);
    connection.getSinkChannel().flush();
  }

  private int discard(ByteBuffer target) throws IOException {
    int from = target.position();
    int count = next.read(target);
    while (count > 0 && discarded <= LINGER_BYTES) {
      discarded += count;
      target.position(from);
      count = next.read(target);
    }
    target.position(from);
    return discarded > LINGER_BYTES ? -1 : Math.min(count, 0);
  }

  @Override
  public void resumeReads() {
    if (verdict == Verdict.GOOD || isAnswered) {
      super.resumeReads();
    } else {
      isNextAskedFor = true;
      super.wakeupReads();
    }
  }
}
