package org.svcmailbox.core.route;

import java.util.List;
import java.util.Set;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.route.CountsAnswer.Told;
import org.svcmailbox.core.topic.MessageRates;
import org.svcmailbox.core.topic.TopicFigures;

/** The frames in which nodes ask each other for counts. Each begins with its version and kind. */
public final class CountsCodec {
  /** The most bytes of a question. */
  public static final int MOST_QUESTION_BYTES = 64;

  /** The most bytes of an answer: one with {@link CountsAnswer#MOST} of the longest names. */
  public static final int MOST_ANSWER_BYTES = PeerCodec.FULL;

  private static final int MOST_GROUPS = 1_024;

  private CountsCodec() {}

  /** A question, as {@link #question} reads it. */
  public static byte[] encode(CountsQuestion question) {
    return PeerCodec.begin(PeerCodec.COUNTS_QUESTION)
        .number(question.life())
        .number(question.since())
        .end();
  }

  /** An answer, as {@link #answer} reads it. */
  public static byte[] encode(CountsAnswer answer) {
    return PeerCodec.begin(PeerCodec.COUNTS)
        .number(answer.life())
        .number(answer.version())
        .flag(answer.isLast())
        .list(answer.groups(), FrameWriter::number)
        .list(answer.changed(), CountsCodec::write)
        .end();
  }

  private static void write(FrameWriter out, Told told) {
    TopicFigures figures = told.figures();
    out.text(told.topic().value())
        .number(figures.ready())
        .number(figures.scheduled())
        .number(figures.inflight())
        .number(figures.letters())
        .number(figures.oldestSince())
        .flag(figures.isReceived());
    MessageRates rates = figures.rates();
    List.of(figures.saturation(), rates.sent(), rates.delivered(), rates.acked())
        .forEach(value -> out.number(Double.doubleToLongBits(value)));
  }

  /**
   * Decodes a question.
   *
   * @throws MalformedFrameException also if another version wrote it
   */
  public static CountsQuestion question(byte[] frame) throws MalformedFrameException {
    return PeerCodec.read(
        frame,
        MOST_QUESTION_BYTES,
        PeerCodec.COUNTS_QUESTION,
        in -> {
          long life = in.longNumber();
          return new CountsQuestion(life, in.longNumber());
        });
  }

  /**
   * Decodes an answer.
   *
   * @throws MalformedFrameException also if another version wrote it
   */
  public static CountsAnswer answer(byte[] frame) throws MalformedFrameException {
    return PeerCodec.read(frame, MOST_ANSWER_BYTES, PeerCodec.COUNTS, CountsCodec::answer);
  }

  private static CountsAnswer answer(FrameReader in) {
    long life = in.longNumber();
    long version = in.longNumber();
    boolean isLast = in.flag();
    Set<Integer> groups = Set.copyOf(in.list(MOST_GROUPS, FrameReader::number));
    return new CountsAnswer(
        life, version, isLast, groups, in.list(CountsAnswer.MOST, CountsCodec::told));
  }

  private static Told told(FrameReader in) {
    TopicName topic = new TopicName(in.text());
    long ready = in.longNumber();
    long scheduled = in.longNumber();
    long inflight = in.longNumber();
    long letters = in.longNumber();
    long oldestSince = in.longNumber();
    boolean isReceived = in.flag();
    double saturation = real(in);
    double sent = real(in);
    double delivered = real(in);
    MessageRates rates = new MessageRates(sent, delivered, real(in));
    return new Told(
        topic,
        new TopicFigures(
            ready, scheduled, inflight, letters, oldestSince, saturation, rates, isReceived));
  }

  private static double real(FrameReader in) {
    double value = Double.longBitsToDouble(in.longNumber());
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("not a number: " + value);
    }
    return value;
  }
}
