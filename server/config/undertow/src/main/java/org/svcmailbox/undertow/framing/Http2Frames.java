package org.svcmailbox.undertow.framing;

import static io.undertow.protocols.http2.Http2Channel.ERROR_COMPRESSION_ERROR;
import static io.undertow.protocols.http2.Http2Channel.ERROR_ENHANCE_YOUR_CALM;
import static io.undertow.protocols.http2.Http2Channel.ERROR_FRAME_SIZE_ERROR;
import static io.undertow.protocols.http2.Http2Channel.ERROR_NO_ERROR;
import static io.undertow.protocols.http2.Http2Channel.ERROR_PROTOCOL_ERROR;

import io.undertow.protocols.http2.HpackDecoder;
import io.undertow.protocols.http2.HpackException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the frames that a client sends on one HTTP/2 connection. Frames pass unchanged, except
 * for header blocks: all frames of a block become one, so that Undertow starts no request before
 * its head is complete. Resets and frames that only cost the server work are counted.
 */
final class Http2Frames {
  /** The largest frame that a client may send; it has room for every block that is passed on. */
  static final int MOST_PAYLOAD = Framing.MOST_HEAD;

  /** The most resets, and the most other frames without content, in 30 s. */
  static final int MOST_RESETS = 200;

  static final int MOST_EMPTY_FRAMES = 1000;

  private static final int PREFACE = 24;
  private static final int HEAD = 9;
  private static final int TABLE = 4096;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int WINDOW_UPDATE = 8;
  private static final int CONTINUATION = 9;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int END_HEADERS = 4;
  private static final int PADDED = 8;
  private static final int PRIORITY = 0x20;
  private static final int PRIORITY_BYTES = 5;

  /**
   * The most bytes of a block and of one field in it, and the most frames. Fields are decoded and
   * then discarded.
   */
  private static final int MOST_OF_BLOCK = 1 << 20;

  private static final int MOST_OF_FIELD = 256 << 10;
  private static final int MOST_FRAMES = 128;

  private final HpackDecoder decoder = new HpackDecoder(TABLE);
  private final FrameRate resets = new FrameRate(MOST_RESETS);
  private final FrameRate emptyFrames = new FrameRate(MOST_EMPTY_FRAMES);
  private final ByteBuffer head = ByteBuffer.allocate(HEAD);
  private int prefaceLeft = PREFACE;
  private int payloadLeft;
  private int lastStream;
  private int error;

  private @Nullable Http2Head block;
  private final ByteArrayOutputStream fragment = new ByteArrayOutputStream();
  private int blockStream;
  private int blockFlags;
  private int blockSize;
  private int blockFrames;

  /** The HTTP/2 error with which the connection must end; 0 while it may continue. */
  int error() {
    return error;
  }

  /** Checks the bytes of a client, and returns the ones that Undertow gets in their place. */
  byte[] accept(ByteBuffer in, long now) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(in.remaining());
    while (in.hasRemaining() && error == ERROR_NO_ERROR) {
      if (prefaceLeft > 0) {
        prefaceLeft -= move(in, prefaceLeft, out);
      } else if (head.hasRemaining()) {
        head.put(in.get());
        if (!head.hasRemaining()) {
          begin(out, now);
          endIfWhole(out);
        }
      } else {
        payloadLeft -= move(in, payloadLeft, isField() ? fragment : out);
        endIfWhole(out);
      }
    }
    return out.toByteArray();
  }

  private static int move(ByteBuffer in, int most, ByteArrayOutputStream out) {
    byte[] bytes = new byte[Math.min(most, in.remaining())];
    in.get(bytes);
    out.writeBytes(bytes);
    return bytes.length;
  }

  private int type() {
    return head.get(3) & 0xff;
  }

  private int flags() {
    return head.get(4) & 0xff;
  }

  private boolean has(int flag) {
    return (flags() & flag) != 0;
  }

  private int stream() {
    return head.getInt(5) & Integer.MAX_VALUE;
  }

  private boolean isField() {
    return type() == HEADERS || type() == CONTINUATION;
  }

  private void begin(ByteArrayOutputStream out, long now) {
    payloadLeft = head.getInt(0) >>> 8;
    if (payloadLeft > MOST_PAYLOAD) {
      error = ERROR_FRAME_SIZE_ERROR;
    } else if (isField()) {
      beginFields();
    } else if (block != null) {
      error = ERROR_PROTOCOL_ERROR;
    } else if (isTooMuch(now)) {
      error = ERROR_ENHANCE_YOUR_CALM;
    } else {
      out.writeBytes(head.array());
    }
  }

  private boolean isTooMuch(long now) {
    return switch (type()) {
      case RST_STREAM -> resets.exceeds(now);
      case DATA -> payloadLeft == 0 && !has(END_STREAM) && emptyFrames.exceeds(now);
      case SETTINGS -> !has(ACK) && emptyFrames.exceeds(now);
      case WINDOW_UPDATE -> false;
      default -> emptyFrames.exceeds(now);
    };
  }

  private void beginFields() {
    boolean isContinued = block != null;
    if (isContinued != (type() == CONTINUATION) || (isContinued && stream() != blockStream)) {
      error = ERROR_PROTOCOL_ERROR;
    } else if (!isContinued) {
      block = new Http2Head();
      blockStream = stream();
      blockFlags = flags();
      blockSize = 0;
      blockFrames = 0;
    }
    blockSize += payloadLeft;
    if (blockSize > MOST_OF_BLOCK || ++blockFrames > MOST_FRAMES) {
      error = ERROR_ENHANCE_YOUR_CALM;
    }
  }

  private void endIfWhole(ByteArrayOutputStream out) {
    if (payloadLeft == 0 && error == ERROR_NO_ERROR) {
      Http2Head fields = block;
      if (fields != null) {
        endFields(fields, out);
      }
      head.clear();
    }
  }

  private void endFields(Http2Head fields, ByteArrayOutputStream out) {
    ByteBuffer bytes = ByteBuffer.wrap(fragment.toByteArray());
    fragment.reset();
    try {
      if (type() == HEADERS) {
        strip(bytes);
      }
      fields.decode(decoder, bytes, has(END_HEADERS));
    } catch (HpackException | RuntimeException e) {
      // From here on, the tables of both sides differ.
      error = ERROR_COMPRESSION_ERROR;
      return;
    }
    fragment.write(bytes.array(), bytes.position(), bytes.remaining());
    if (fragment.size() > MOST_OF_FIELD) {
      error = ERROR_ENHANCE_YOUR_CALM;
    } else if (has(END_HEADERS)) {
      write(fields, out);
      block = null;
    }
  }

  private void strip(ByteBuffer payload) {
    int padding = has(PADDED) ? payload.get() & 0xff : 0;
    int priority = has(PRIORITY) ? PRIORITY_BYTES : 0;
    payload.position(payload.position() + priority).limit(payload.limit() - padding);
  }

  private void write(Http2Head fields, ByteArrayOutputStream out) {
    // Fields after a body mean nothing here.
    byte[] written = blockStream > lastStream ? fields.request() : new byte[0];
    lastStream = Math.max(lastStream, blockStream);
    out.writeBytes(
        ByteBuffer.allocate(HEAD)
            .putInt((written.length << 8) | HEADERS)
            .put((byte) ((blockFlags & END_STREAM) | END_HEADERS))
            .putInt(blockStream)
            .array());
    out.writeBytes(written);
  }
}
