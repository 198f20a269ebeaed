package org.svcmailbox.core.route;

import java.util.List;
import org.svcmailbox.core.envelope.TopicName;

/** Questions for topics with messages, and their answers, in frames. */
public final class ReadyCodec {
  /** The most bytes of a question or its answer. */
  public static final int MOST_BYTES = 1 << 18;

  private ReadyCodec() {}

  /** A question. */
  public static byte[] encode(ReadyQuestion question) {
    return write(
        PeerCodec.begin(PeerCodec.READY_QUESTION)
            .number(question.asker())
            .number(question.number()),
        question.keys());
  }

  /** The topics of a question that have messages. */
  public static byte[] encode(List<ReadyKey> ready) {
    return write(PeerCodec.begin(PeerCodec.READY), ready);
  }

  private static byte[] write(FrameWriter out, List<ReadyKey> keys) {
    return out.list(keys, ReadyCodec::write).end();
  }

  private static void write(FrameWriter out, ReadyKey key) {
    out.text(key.topic().value()).optional(key.shard(), FrameWriter::number);
  }

  /**
   * Decodes a question.
   *
   * @throws MalformedFrameException also if a later version wrote it
   */
  public static ReadyQuestion question(byte[] frame) throws MalformedFrameException {
    return PeerCodec.read(frame, MOST_BYTES, PeerCodec.READY_QUESTION, ReadyCodec::question);
  }

  /**
   * Decodes an answer.
   *
   * @throws MalformedFrameException also if a later version wrote it
   */
  public static List<ReadyKey> keys(byte[] frame) throws MalformedFrameException {
    return PeerCodec.read(frame, MOST_BYTES, PeerCodec.READY, ReadyCodec::keys);
  }

  private static ReadyQuestion question(FrameReader in) {
    long asker = in.longNumber();
    long number = in.longNumber();
    return new ReadyQuestion(asker, number, keys(in));
  }

  private static List<ReadyKey> keys(FrameReader in) {
    return in.list(ReadyWatch.MOST_NAMED, ReadyCodec::key);
  }

  private static ReadyKey key(FrameReader in) {
    TopicName topic = new TopicName(in.text());
    Integer shard = in.optional(FrameReader::number);
    return new ReadyKey(topic, shard);
  }
}
