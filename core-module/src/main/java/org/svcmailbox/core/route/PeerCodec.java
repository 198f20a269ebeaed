package org.svcmailbox.core.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.core.capability.BearerToken;
import org.svcmailbox.core.problem.SchemaException;

/**
 * The frames between nodes. A frame begins with its version and its kind, a byte each. It is a list
 * of calls, or of their answers in the same order. Each is behind its length in four bytes.
 */
public final class PeerCodec {
  /** The version of the frames that this release writes, and the only one that it reads. */
  public static final int VERSION = 1;

  /** The most calls of a frame. */
  public static final int MOST_CALLS = 64;

  /** Calls beyond the first one are added only up to this size. */
  public static final int FULL = 1 << 20;

  /** The most bytes of a frame of calls: one with the largest payload, attributes and token. */
  public static final int MOST_CALL_BYTES = 2 * FULL;

  /** The most bytes of a frame of answers: a mebibyte of payload in the largest envelopes. */
  public static final int MOST_ANSWER_BYTES = 32 * FULL;

  private static final int CALLS = 1;
  private static final int ANSWERS = 2;
  static final int READY_QUESTION = 3;
  static final int READY = 4;
  static final int COUNTS_QUESTION = 5;
  static final int COUNTS = 6;

  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;

  private PeerCodec() {}

  /** A frame of calls that were encoded one by one. */
  public static byte[] callFrame(List<byte[]> calls) {
    return frame(CALLS, calls);
  }

  /** A frame of answers that were encoded one by one, in the order of their calls. */
  public static byte[] answerFrame(List<byte[]> answers) {
    return frame(ANSWERS, answers);
  }

  private static byte[] frame(int kind, List<byte[]> parts) {
    return begin(kind).list(parts, FrameWriter::bytes).end();
  }

  /** The beginning of any frame. */
  static FrameWriter begin(int kind) {
    return new FrameWriter().tag(VERSION).tag(kind);
  }

  /** One call, as {@link #callFrame} takes it. */
  public static byte[] encode(ForwardedCall call) {
    FrameWriter out = new FrameWriter();
    out.bytes(call.token().value().getBytes(ISO_8859_1));
    out.optional(call.client(), (to, client) -> to.bytes(client.getAddress()));
    out.number(Math.toIntExact(call.left().toMillis()));
    CallParts.write(out, call.call());
    return out.end();
  }

  /** One answer, as {@link #answerFrame} takes it. */
  public static byte[] encode(PeerAnswer answer) {
    FrameWriter out = new FrameWriter();
    AnswerParts.write(out, answer);
    return out.end();
  }

  /**
   * Decodes a frame of calls.
   *
   * @throws MalformedFrameException also if a later version wrote it
   */
  public static List<ForwardedCall> calls(byte[] frame) throws MalformedFrameException {
    return parts(frame, MOST_CALL_BYTES, CALLS, PeerCodec::call);
  }

  /**
   * Decodes a frame of answers.
   *
   * @throws MalformedFrameException also if a later version wrote it
   */
  public static List<PeerAnswer> answers(byte[] frame) throws MalformedFrameException {
    return parts(frame, MOST_ANSWER_BYTES, ANSWERS, AnswerParts::read);
  }

  private static <T> List<T> parts(byte[] frame, int most, int kind, FrameReader.Part<T> part)
      throws MalformedFrameException {
    return read(frame, most, kind, in -> in.list(MOST_CALLS, from -> from.whole(part)));
  }

  /** Decodes a frame of a kind, which has nothing behind its content. */
  static <T> T read(byte[] frame, int most, int kind, FrameReader.Part<T> content)
      throws MalformedFrameException {
    if (frame.length > most) {
      throw new MalformedFrameException("the frame has " + frame.length + " bytes");
    }
    try {
      FrameReader in = new FrameReader(ByteBuffer.wrap(frame));
      int version = in.tag();
      if (version != VERSION) {
        throw new MalformedFrameException("the frame has version " + version);
      }
      if (in.tag() != kind) {
        throw new MalformedFrameException("the frame is of another kind");
      }
      T read = content.read(in);
      in.end();
      return read;
    } catch (BufferUnderflowException
        | IllegalArgumentException
        | ArithmeticException
        | DateTimeException
        | SchemaException e) {
      throw new MalformedFrameException("the frame is damaged: " + e.getClass().getSimpleName());
    }
  }

  private static ForwardedCall call(FrameReader in) {
    byte[] token = in.bytes();
    if (token.length > Macaroon.MOST_CHARACTERS) {
      throw new IllegalArgumentException("a token of " + token.length);
    }
    InetAddress client = in.optional(PeerCodec::address);
    int left = in.number();
    if (left < 0) {
      throw new IllegalArgumentException("no time is left");
    }
    BearerToken secret = new BearerToken(new String(token, ISO_8859_1));
    return new ForwardedCall(secret, client, Duration.ofMillis(left), CallParts.read(in));
  }

  private static InetAddress address(FrameReader in) {
    byte[] bytes = in.bytes();
    if (bytes.length != IPV4_BYTES && bytes.length != IPV6_BYTES) {
      throw new IllegalArgumentException("an address of " + bytes.length);
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
