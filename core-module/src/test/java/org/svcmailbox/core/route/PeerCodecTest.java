package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.core.capability.BearerToken;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.Seeds;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.Problem;

class PeerCodecTest {
  private static final int ROUNDS = 300;

  /** Beyond the bytes of the frame: its objects, which are at most a few dozen a byte. */
  private static final int ALLOCATED_PER_BYTE = 64;

  private static final int ALLOCATED_ALWAYS = 1 << 18;

  static Stream<Long> seeds() {
    return Seeds.upTo(5);
  }

  private static byte[] calls(List<ForwardedCall> calls) {
    return PeerCodec.callFrame(calls.stream().map(PeerCodec::encode).toList());
  }

  private static byte[] answers(List<PeerAnswer> answers) {
    return PeerCodec.answerFrame(answers.stream().map(PeerCodec::encode).toList());
  }

  private static void assertMalformed(byte[] calls) {
    assertThrows(MalformedFrameException.class, () -> PeerCodec.calls(calls));
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void callsComeBack(long seed) throws MalformedFrameException {
    RandomFrames frames = new RandomFrames(seed);
    Set<Class<?>> met = new HashSet<>();
    for (int i = 0; i < ROUNDS; i++) {
      List<ForwardedCall> calls = Stream.generate(frames::call).limit(i % 65).toList();
      assertEquals(calls, PeerCodec.calls(calls(calls)));
      calls.forEach(
          call ->
              met.add(
                  call.call() instanceof PeerCall.Settle settle
                      ? settle.request().getClass()
                      : call.call().getClass()));
    }
    assertMet(met, PeerCall.class, Set.of(PeerCall.Settle.class));
    assertMet(met, SettleRequest.class, Set.of());
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void answersComeBack(long seed) throws MalformedFrameException {
    RandomFrames frames = new RandomFrames(seed);
    Set<Class<?>> met = new HashSet<>();
    for (int i = 0; i < ROUNDS; i++) {
      List<PeerAnswer> answers = Stream.generate(frames::answer).limit(i % 65).toList();
      assertEquals(answers, PeerCodec.answers(answers(answers)));
      answers.forEach(
          answer -> {
            met.add(answer.getClass());
            if (answer instanceof PeerAnswer.Sent sent) {
              met.add(sent.outcome().getClass());
            } else if (answer instanceof PeerAnswer.Settled settled) {
              met.add(settled.outcome().getClass());
            }
          });
    }
    assertMet(met, PeerAnswer.class, Set.of());
    assertMet(met, SendOutcome.class, Set.of(Refusal.class));
    assertMet(met, SettleOutcome.class, Set.of(Refusal.class));
  }

  /** A new kind of call or outcome must be among the samples. */
  private static void assertMet(Set<Class<?>> met, Class<?> all, Set<Class<?>> elsewhere) {
    Set<Class<?>> missing = new HashSet<>(Arrays.asList(all.getPermittedSubclasses()));
    missing.removeAll(met);
    assertEquals(elsewhere, missing);
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void aFrameThatEndsEarlyIsRefused(long seed) {
    RandomFrames frames = new RandomFrames(seed);
    byte[] calls = calls(Stream.generate(frames::call).limit(3).toList());
    byte[] answers = answers(Stream.generate(frames::answer).limit(3).toList());
    for (int length = 0; length < calls.length; length++) {
      assertMalformed(Arrays.copyOf(calls, length));
    }
    for (int length = 0; length < answers.length; length++) {
      byte[] shorter = Arrays.copyOf(answers, length);
      assertThrows(MalformedFrameException.class, () -> PeerCodec.answers(shorter));
    }
    assertMalformed(Arrays.copyOf(calls, calls.length + 1));
  }

  /** Damaged bytes decode to something else or are refused, and cost no more than their size. */
  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void damagedFramesCostLittle(long seed) {
    RandomFrames frames = new RandomFrames(seed);
    Random random = new Random(seed);
    for (int i = 0; i < 3_000; i++) {
      byte[] calls = calls(List.of(frames.call(), frames.call()));
      byte[] answers = answers(List.of(frames.answer(), frames.answer()));
      damage(calls, random);
      damage(answers, random);
      assertBounded(calls.length, () -> PeerCodec.calls(calls));
      assertBounded(answers.length, () -> PeerCodec.answers(answers));
    }
  }

  private static void damage(byte[] frame, Random random) {
    int at = random.nextInt(frame.length);
    if (random.nextBoolean() || at + Integer.BYTES > frame.length) {
      frame[at] = (byte) random.nextInt();
    } else {
      ByteBuffer.wrap(frame)
          .putInt(at, random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt());
    }
  }

  private interface Decoding {
    Object run() throws MalformedFrameException;
  }

  private static void assertBounded(int length, Decoding decoding) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    try {
      Object unused = decoding.run();
    } catch (MalformedFrameException e) {
      assertTrue(String.valueOf(e.getMessage()).startsWith("the frame "), e.getMessage());
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    long most = ALLOCATED_ALWAYS + (long) ALLOCATED_PER_BYTE * length;
    assertTrue(allocated <= most, () -> allocated + " bytes allocated for " + length);
  }

  @Test
  void aFrameOfAnotherVersionOrKindIsRefused() {
    byte[] frame = calls(List.of(new RandomFrames(1).call()));
    for (int version = 0; version < 256; version++) {
      byte[] other = frame.clone();
      other[0] = (byte) version;
      if (version != PeerCodec.VERSION) {
        MalformedFrameException refused =
            assertThrows(MalformedFrameException.class, () -> PeerCodec.calls(other));
        assertEquals("the frame has version " + (byte) version, refused.getMessage());
      }
    }
    assertThrows(MalformedFrameException.class, () -> PeerCodec.answers(frame));
    byte[] unknown = frame.clone();
    unknown[1] = 3;
    assertMalformed(unknown);
  }

  @Test
  void aFrameHasSixtyFourCallsAtMost() throws MalformedFrameException {
    ForwardedCall call = new RandomFrames(2).call();
    List<ForwardedCall> most = Collections.nCopies(PeerCodec.MOST_CALLS, call);
    assertEquals(most, PeerCodec.calls(calls(most)));
    assertMalformed(calls(Collections.nCopies(PeerCodec.MOST_CALLS + 1, call)));
  }

  @Test
  void aCallWithBytesBehindItIsRefused() {
    byte[] call = PeerCodec.encode(new RandomFrames(3).call());
    assertMalformed(PeerCodec.callFrame(List.of(Arrays.copyOf(call, call.length + 1))));
  }

  @Test
  void aLongerTokenIsRefused() throws MalformedFrameException {
    PeerCall call = new PeerCall.GiveBack(new RecvId(1, 2));
    String most = "A".repeat(Macaroon.MOST_CHARACTERS);
    ForwardedCall longest = new ForwardedCall(new BearerToken(most), null, Duration.ZERO, call);
    assertEquals(List.of(longest), PeerCodec.calls(calls(List.of(longest))));
    assertMalformed(
        calls(List.of(new ForwardedCall(new BearerToken(most + "A"), null, Duration.ZERO, call))));
  }

  /** Four bytes of UTF-8 for each two characters, and three for each one. */
  private static String widest(int characters) {
    return "€".repeat(characters);
  }

  private static Attributes widestAttributes() {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < Attributes.MAX_COUNT; i++) {
      String key = i + widest(Attributes.MAX_KEY);
      values.put(key.substring(0, Attributes.MAX_KEY), widest(Attributes.MAX_VALUE));
    }
    return new Attributes(values);
  }

  @Test
  void theLargestCallFitsIntoAFrame() throws MalformedFrameException {
    SendRequest send =
        new SendRequest(
            new TopicName("t".repeat(TopicName.MAX_LENGTH)),
            Payload.owning(new byte[1 << 20]),
            new IdemKey(widest(IdemKey.MAX_LENGTH)),
            widestAttributes(),
            new CorrId(widest(CorrId.MAX_LENGTH)),
            null,
            Duration.ZERO,
            new Signature(widest(Signature.MAX_LENGTH)));
    ForwardedCall call =
        new ForwardedCall(
            new BearerToken("A".repeat(Macaroon.MOST_CHARACTERS)),
            null,
            Duration.ofMinutes(1),
            new PeerCall.Send(send));
    assertEquals(List.of(call), PeerCodec.calls(calls(List.of(call))));
    assertMalformed(new byte[PeerCodec.MOST_CALL_BYTES + 1]);
  }

  @Test
  void theLargestAnswerFitsIntoAFrame() throws MalformedFrameException {
    MessageHistory history = MessageHistory.NONE;
    for (int i = 0; i < MessageHistory.MAX_EVENTS; i++) {
      history =
          history.with(
              new MessageEvent(
                  MessageEvent.Kind.NACKED,
                  Instant.EPOCH,
                  i,
                  widest(MessageHistory.MAX_TEXT / MessageHistory.MAX_EVENTS),
                  null));
    }
    Digest digest = Digest.ZERO;
    Envelope envelope =
        new Envelope(
            new MsgId(1, 2),
            new TopicName("t".repeat(TopicName.MAX_LENGTH)),
            Instant.EPOCH,
            new IdemKey(widest(IdemKey.MAX_LENGTH)),
            digest,
            widestAttributes(),
            new CorrId(widest(CorrId.MAX_LENGTH)),
            0,
            1,
            1,
            digest,
            new Signature(widest(Signature.MAX_LENGTH)));
    StoredMessage message =
        new StoredMessage(
            envelope,
            Payload.owning(new byte[(1 << 20) / 100]),
            widest(MessageEvent.MAX_NOTE),
            Instant.EPOCH,
            null,
            history,
            null);
    LeasedMessage leased =
        new LeasedMessage(message, new Receipt("r".repeat(64)), Duration.ofHours(12));
    List<PeerAnswer> answers =
        List.of(new PeerAnswer.Received(new Delivered(Collections.nCopies(100, leased))));
    assertEquals(answers, PeerCodec.answers(answers(answers)));
    assertThrows(
        MalformedFrameException.class,
        () -> PeerCodec.answers(new byte[PeerCodec.MOST_ANSWER_BYTES + 1]));
  }

  /** Other releases read it. */
  @Test
  void theLayoutStays() {
    ForwardedCall ack =
        new ForwardedCall(
            new BearerToken("tok"),
            null,
            Duration.ofMillis(10),
            new PeerCall.Settle(new SettleRequest.Ack(new MsgId(1, 2), new Receipt("r-1"))));
    assertEquals(
        "01"
            + "01"
            + "0001"
            + "00000025"
            + ("00000003" + "746f6b" + "00" + "0000000a")
            + ("03" + "0000000000000001" + "0000000000000002" + "01" + "00000003" + "722d31"),
        HexFormat.of().formatHex(calls(List.of(ack))));
    assertEquals(
        "01" + "02" + "0002" + "00000001" + "05" + "00000001" + "0c",
        HexFormat.of()
            .formatHex(
                answers(
                    List.of(
                        new PeerAnswer.Settled(SettleOutcome.DONE), new PeerAnswer.Unanswered()))));
  }

  @Test
  void anAnswerNamesAHundredWrongFieldsAtMost() throws MalformedFrameException {
    List<FieldViolation> wrong = new ArrayList<>();
    for (int i = 0; i <= AnswerParts.MOST_VIOLATIONS; i++) {
      wrong.add(new FieldViolation("field" + i, "is wrong"));
    }
    PeerAnswer thrown = new PeerAnswer.Thrown(Problem.E_SCHEMA, "wrong", wrong);
    PeerAnswer read = PeerCodec.answers(answers(List.of(thrown))).get(0);
    assertEquals(
        new PeerAnswer.Thrown(
            Problem.E_SCHEMA, "wrong", wrong.subList(0, AnswerParts.MOST_VIOLATIONS)),
        read);
  }

  @Test
  void aTokenIsNotShown() {
    assertEquals("BearerToken[secret]", new BearerToken("abc").toString());
  }
}
