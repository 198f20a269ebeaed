package org.svcmailbox.grpc.server;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.svcmailbox.test.net.RawConnection;

/** A client of HTTP/2, frame by frame, for what well-behaved clients do not do. */
final class RawHttp2 implements AutoCloseable {
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int ACKNOWLEDGED = 1;

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int HEAD = 9;
  private static final int PING_BYTES = 8;

  private final RawConnection connection;

  /** A frame as it came. */
  record Frame(int type, int flags, ByteString payload) {
    /** The error of a {@link #GOAWAY}. */
    int error() {
      return payload.asReadOnlyByteBuffer().getInt(Integer.BYTES);
    }
  }

  RawHttp2(InetSocketAddress address) throws IOException {
    connection = RawConnection.to(address);
    connection.send(PREFACE);
    send(SETTINGS, 0, new byte[0]);
  }

  /** Sends a frame of the connection. */
  void send(int type, int flags, byte[] payload) throws IOException {
    connection.send(
        ByteBuffer.allocate(HEAD + payload.length)
            .put((byte) (payload.length >> 16))
            .putShort((short) payload.length)
            .put((byte) type)
            .put((byte) flags)
            .putInt(0)
            .put(payload)
            .array());
  }

  void ping() throws IOException {
    send(PING, 0, new byte[PING_BYTES]);
  }

  /** The next frame of a type; skips others. */
  Frame next(int type) throws IOException {
    Frame frame = frame();
    while (frame.type() != type) {
      frame = frame();
    }
    return frame;
  }

  private Frame frame() throws IOException {
    ByteBuffer head = ByteBuffer.wrap(connection.bytes(HEAD));
    int length = Byte.toUnsignedInt(head.get()) << 16;
    length += Short.toUnsignedInt(head.getShort());
    int type = head.get();
    int flags = head.get();
    return new Frame(type, flags, ByteString.copyFrom(connection.bytes(length)));
  }

  /** Reads to the connection's end. */
  void awaitEnd() throws IOException {
    String unused = connection.rest();
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
