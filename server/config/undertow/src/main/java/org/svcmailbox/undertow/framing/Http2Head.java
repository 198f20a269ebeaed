package org.svcmailbox.undertow.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.undertow.protocols.http2.HpackDecoder;
import io.undertow.protocols.http2.HpackException;
import io.undertow.protocols.http2.Http2Channel;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;

/**
 * One block of fields for Undertow. It is decoded here and encoded again without compression,
 * because Undertow ends the whole connection for a block that it does not accept. A block that is
 * too large, or that no request may have, is replaced by a short one that says so.
 */
final class Http2Head implements HpackDecoder.HeaderEmitter {
  /** The field that tells {@link RefusedHead} about a replaced block. */
  static final String REFUSED = "mailbox-refused-head";

  /** The most fields that Undertow may get; a client's pseudo-fields do not count. */
  static final int MOST_NAMES = Framing.MOST_FIELDS + 8;

  // Undertow has its own limit, which 40-http.cli sets to ours.
  private static final int MOST_BYTES =
      Math.min(
          Framing.MOST_HEAD,
          Integer.getInteger(Http2Channel.HTTP2_MAX_HEADER_SIZE_PROPERTY, 20_000));
  private static final int OVERHEAD = 32;
  private static final Set<HttpString> PSEUDO =
      Set.of(Http2Channel.METHOD, Http2Channel.PATH, Http2Channel.SCHEME, Http2Channel.AUTHORITY);
  private static final Set<HttpString> FORBIDDEN =
      Set.of(Headers.TRANSFER_ENCODING, Headers.CONNECTION, Headers.UPGRADE);

  private final ByteArrayOutputStream block = new ByteArrayOutputStream();
  private final HeaderMap seen = new HeaderMap();
  private int size;
  private int fields;
  private boolean isLarge;
  private boolean isMalformed;

  @Override
  public void emitHeader(HttpString name, String value, boolean neverIndex) {
    size += name.length() + value.length() + OVERHEAD;
    boolean isPseudo = name.length() > 0 && name.byteAt(0) == ':';
    if (size > MOST_BYTES || (!isPseudo && ++fields > Framing.MOST_FIELDS)) {
      isLarge = true;
    }
    if (isLarge) {
      return;
    }
    isMalformed |=
        isPseudo ? fields > 0 || !PSEUDO.contains(name) : !isName(name) || FORBIDDEN.contains(name);
    isMalformed |= !isValue(value);
    try {
      seen.add(name, value);
    } catch (SecurityException | IllegalStateException e) {
      // Too many names share a row in Undertow's table, or one name has too many values.
      isLarge = true;
    }
    write(block, name.toString(), value);
  }

  private static boolean isName(HttpString name) {
    boolean isName = name.length() > 0;
    for (int i = 0; i < name.length(); i++) {
      int c = name.byteAt(i);
      isName &= Framing.isToken(c) && (c < 'A' || c > 'Z');
    }
    return isName;
  }

  private static boolean isValue(String value) {
    return value.chars().allMatch(c -> (c >= ' ' || c == '\t') && c != 0x7f);
  }

  private boolean isOnce(HttpString name) {
    return seen.count(name) == 1;
  }

  private boolean isAtMostOnce(HttpString name) {
    return seen.count(name) <= 1;
  }

  private boolean isRequest() {
    return !isMalformed
        && isOnce(Http2Channel.METHOD)
        && isOnce(Http2Channel.SCHEME)
        && isOnce(Http2Channel.PATH)
        && isAtMostOnce(Http2Channel.AUTHORITY)
        && isAtMostOnce(Headers.HOST)
        && isAtMostOnce(Headers.AUTHORIZATION)
        && isAtMostOnce(Headers.CONTENT_LENGTH)
        && isPath(seen.getFirst(Http2Channel.PATH))
        && isName(new HttpString(seen.getFirst(Http2Channel.METHOD).toLowerCase(Locale.ROOT)));
  }

  private static boolean isPath(String path) {
    return !path.isEmpty() && TargetForm.isGood(path);
  }

  /** The request's block in the form that Undertow gets. */
  byte[] request() {
    if (!isLarge && isRequest()) {
      return block.toByteArray();
    }
    (isLarge ? Refusals.HEAD_TOO_LARGE : Refusals.FRAMING).increment();
    ByteArrayOutputStream refused = new ByteArrayOutputStream();
    boolean isHead = "HEAD".equals(seen.getFirst(Http2Channel.METHOD));
    write(refused, ":method", isHead ? "HEAD" : "GET");
    write(refused, ":scheme", "https");
    write(refused, ":path", "/");
    write(refused, ":authority", "refused");
    write(refused, REFUSED, isLarge ? RefusedHead.LARGE : RefusedHead.MALFORMED);
    return refused.toByteArray();
  }

  private static void write(ByteArrayOutputStream block, String name, String value) {
    block.write(0); // A literal that is not added to a table.
    write(block, name);
    write(block, value);
  }

  private static void write(ByteArrayOutputStream block, String text) {
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

  /** Decodes what has arrived of a block so far, and leaves what is incomplete. */
  void decode(HpackDecoder decoder, ByteBuffer fragment, boolean isLast) throws HpackException {
    decoder.setHeaderEmitter(this);
    decoder.decode(fragment, !isLast);
    if (isLast && fragment.hasRemaining()) {
      throw new HpackException();
    }
  }
}
