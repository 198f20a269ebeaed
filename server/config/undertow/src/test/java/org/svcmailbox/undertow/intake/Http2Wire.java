package org.svcmailbox.undertow.intake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.svcmailbox.test.net.RawConnection;

/** One HTTP/2 connection of a client that knows the server speaks it, frame by frame. */
final class Http2Wire implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int CONTINUATION = 9;
  static final int MOST_OF_FRAME = 16 << 10;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final int HEAD = 9;

  private final RawConnection wire;
  private int stream = -1;

  /** One frame; of its flags, whether it is the last of its stream. */
  record Frame(int type, int stream, boolean isLast, String payload) {
    /** Whether these are headers that begin with status 200, for which HPACK has one byte. */
    boolean isOk() {
      return type == HEADERS && payload.charAt(0) == 0x88;
    }
  }

  /**
   * Connects.
   *
   * @param window how much of an answer the server may send before the client asks for more
   */
  Http2Wire(IntakeServer server, int window) throws IOException {
    this(RawConnection.to(server.address()), window);
  }

  /** Over a connection that is there already. */
  Http2Wire(RawConnection connected, int window) throws IOException {
    wire = connected;
    wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    ByteBuffer setting = ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE);
    send(SETTINGS, 0, 0, setting.putInt(window).array());
  }

  /** Begins a request, and tells the number of its stream. */
  int request(boolean isPost, String path, boolean isWhole) throws IOException {
    return request(isWhole, MOST_OF_FRAME, block(isPost, path).toByteArray());
  }

  /** Begins a request with a block of fields, in frames of so many bytes. */
  int request(boolean isWhole, int bytesOfFrame, byte[] block) throws IOException {
    stream += 2;
    for (int from = 0; from == 0 || from < block.length; from += bytesOfFrame) {
      int to = Math.min(from + bytesOfFrame, block.length);
      int type = from == 0 ? HEADERS : CONTINUATION;
      int flags = (to == block.length ? END_HEADERS : 0) | (from == 0 && isWhole ? END_STREAM : 0);
      send(type, flags, stream, Arrays.copyOfRange(block, from, to));
    }
    return stream;
  }

  /** The fields that every request has. */
  static ByteArrayOutputStream block(boolean isPost, String path) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(isPost ? 0x83 : 0x82);
    block.write(0x86); // http
    block.write(0x04);
    text(block, path);
    block.write(0x01);
    text(block, "localhost");
    return block;
  }

  /** Adds a field that enters no table. */
  static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    text(block, name);
    text(block, value);
  }

  /** Adds text without Huffman's code. */
  static void text(ByteArrayOutputStream block, String text) {
    int left = text.length() - 0x7f;
    block.write(Math.min(text.length(), 0x7f));
    if (left >= 0) {
      for (; left >= 0x80; left >>>= 7) {
        block.write((left & 0x7f) | 0x80);
      }
      block.write(left);
    }
    block.writeBytes(text.getBytes(ISO_8859_1));
  }

  void data(int ofStream, String data, boolean isLast) throws IOException {
    send(DATA, isLast ? END_STREAM : 0, ofStream, data.getBytes(ISO_8859_1));
  }

  void resetStream(int ofStream) throws IOException {
    send(RST_STREAM, 0, ofStream, new byte[] {0, 0, 0, 8});
  }

  void send(int type, int flags, int ofStream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(HEAD + payload.length);
    frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(ofStream).put(payload);
    wire.send(frame.array());
  }

  /** The next frame of a stream. */
  Frame receive(int ofStream) throws IOException {
    while (true) {
      ByteBuffer head = ByteBuffer.wrap(wire.bytes(HEAD));
      int first = head.getInt();
      int flags = head.get();
      int from = head.getInt();
      String payload = new String(wire.bytes(first >>> 8), ISO_8859_1);
      Frame frame = new Frame(first & 0xff, from, (flags & END_STREAM) != 0, payload);
      if (frame.stream() == ofStream && (ofStream != 0 || frame.type() == GOAWAY)) {
        return frame;
      }
      if (frame.type() == SETTINGS && (flags & 1) == 0) {
        send(SETTINGS, 1, 0, new byte[0]);
      }
    }
  }

  /** The body of an answer with status 200. */
  String answer(int ofStream) throws IOException {
    Frame headers = receive(ofStream);
    if (!headers.isOk()) {
      throw new AssertionError(headers);
    }
    StringBuilder body = new StringBuilder();
    for (Frame frame = headers; !frame.isLast(); ) {
      frame = receive(ofStream);
      body.append(frame.payload());
    }
    return body.toString();
  }

  void hangUp() throws IOException {
    wire.hangUp();
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
