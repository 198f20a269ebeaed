package org.svcmailbox.undertow.framing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.svcmailbox.undertow.framing.Framing.Verdict;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.ConduitReadableByteChannel;
import org.xnio.conduits.Conduits;
import org.xnio.conduits.StreamSourceConduit;

/**
 * The reading side of a connection, beneath Undertow. It passes on well-framed requests only. A bad
 * head is answered here, once Undertow asks for a next request, and so after every answer before
 * it; then the connection is at its end. Bad chunks are for {@link #isBroken} to find, for their
 * request is under way.
 */
public final class FramingSource extends AbstractStreamSourceConduit<StreamSourceConduit> {
  private static final String ANSWER =
      "HTTP/1.1 %s\r\nConnection: close\r\nContent-Type: application/problem+json\r\n"
          + "Content-Length: %d\r\n\r\n%s";
  private static final String PROBLEM =
      "{\"type\":\"urn:svc-mailbox:problem:E_SCHEMA\",\"title\":\"The request is malformed\","
          + "\"status\":%d,\"detail\":\"%s\",\"code\":\"E_SCHEMA\",\"reason\":\"framing\"}";

  private static final Set<StreamConnection> BROKEN =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final StreamConnection connection;
  private final Framing framing = new Framing();
  private Verdict verdict = Verdict.GOOD;
  private boolean isNextAskedFor;
  private boolean isTold;

  private FramingSource(StreamConnection connection) {
    super(connection.getSourceChannel().getConduit());
    this.connection = connection;
  }

  /** Looks at all that a connection brings from now on. */
  static void guard(StreamConnection connection) {
    connection.getSourceChannel().setConduit(new FramingSource(connection));
  }

  /**
   * Whether the chunks of a body are malformed. The next read finds nothing, so that the request
   * can be answered; the one after it fails, at which Undertow closes the connection.
   */
  public static boolean isBroken(StreamConnection connection) {
    return BROKEN.contains(connection);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (verdict != Verdict.GOOD) {
      return refuse();
    }
    int from = target.position();
    int count = super.read(target);
    if (count <= 0) {
      return count;
    }
    verdict = framing.look(target, from, from + count);
    if (verdict == Verdict.GOOD) {
      return count;
    }
    if (verdict == Verdict.BAD_BODY) {
      BROKEN.add(connection);
    }
    int good = verdict == Verdict.BAD_BODY ? framing.wrongAt() : framing.requestStart();
    target.position(Math.max(good, from));
    if (good > from) {
      return good - from;
    }
    // Undertow has begun to read the head, so no answer is under way.
    isNextAskedFor = good < 0;
    return refuse();
  }

  private int refuse() throws IOException {
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
    boolean isUnknown = verdict == Verdict.UNKNOWN_CODING;
    String problem =
        isUnknown
            ? PROBLEM.formatted(501, "unknown transfer coding")
            : PROBLEM.formatted(400, "malformed or ambiguous request head");
    String status = isUnknown ? "501 Not Implemented" : "400 Bad Request";
    ByteBuffer answer =
        ByteBuffer.wrap(ANSWER.formatted(status, problem.length(), problem).getBytes(US_ASCII));
    // One attempt: a client that reads nothing gets nothing.
    connection.getSinkChannel().write(answer);
    connection.getSinkChannel().flush();
    return -1;
  }

  @Override
  public void resumeReads() {
    if (verdict == Verdict.GOOD) {
      super.resumeReads();
    } else {
      isNextAskedFor = true;
      super.wakeupReads();
    }
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      if (targets[i].hasRemaining()) {
        return read(targets[i]);
      }
    }
    return 0;
  }

  @Override
  public long transferTo(long position, long count, FileChannel target) throws IOException {
    return target.transferFrom(new ConduitReadableByteChannel(this), position, count);
  }

  @Override
  public long transferTo(long count, ByteBuffer through, StreamSinkChannel target)
      throws IOException {
    return Conduits.transfer(this, count, through, target);
  }
}
