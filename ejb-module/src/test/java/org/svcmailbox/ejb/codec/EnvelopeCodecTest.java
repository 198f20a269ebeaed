package org.svcmailbox.ejb.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Signature;

final class EnvelopeCodecTest {
  private static final long SEED = 20261120;

  @Test
  void whatWasWrittenIsReadAgain() throws UnreadableMessageException {
    Random random = new Random(SEED);
    for (int round = 0; round < 500; round++) {
      Envelope envelope = randomEnvelope(random).withAttempt(1 + random.nextInt(100));
      byte[] bytes = EnvelopeCodec.encode(envelope);
      assertEquals(envelope, EnvelopeCodec.decode(bytes, envelope.attempt()), "round " + round);
    }
  }

  @Test
  void theLongestEnvelopeIsReadAgain() throws UnreadableMessageException {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < Attributes.MAX_COUNT; i++) {
      values.put("%03d".formatted(i) + "€".repeat(Attributes.MAX_KEY - 3), "€".repeat(1024));
    }
    Envelope envelope = envelope(new Attributes(values), new Signature("€".repeat(1024)), 7);
    byte[] bytes = EnvelopeCodec.encode(envelope);
    assertEquals(envelope, EnvelopeCodec.decode(bytes, 1));
  }

  @Test
  void everyCutIsRefused() {
    byte[] whole =
        EnvelopeCodec.encode(
            envelope(SampleMessages.awkwardAttributes(), new Signature("signed"), 3));
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThrows(UnreadableMessageException.class, () -> EnvelopeCodec.decode(cut, 1));
    }
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    assertThrows(UnreadableMessageException.class, () -> EnvelopeCodec.decode(longer, 1));
  }

  @Test
  void aReplacementCharacterThatWasMeantIsKept() throws UnreadableMessageException {
    Envelope envelope = envelope(new Attributes(Map.of("k", "a\uFFFDb")), null, 1);
    assertEquals(envelope, EnvelopeCodec.decode(EnvelopeCodec.encode(envelope), 1));
  }

  @Test
  void malformedTextIsRefused() {
    byte[] bytes = EnvelopeCodec.encode(envelope(new Attributes(Map.of("k", "value")), null, 1));
    bytes[bytes.length - 1] = (byte) 0xC3;
    assertThrows(UnreadableMessageException.class, () -> EnvelopeCodec.decode(bytes, 1));
  }

  @Test
  void garbageIsRefusedOrReadButNothingElse() {
    Random random = new Random(SEED);
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = random.nextBoolean() ? damaged(randomEnvelope(random), random) : noise(random);
      if (!reads(bytes, round)) {
        refused++;
      }
    }
    // Damage inside a hash or a number makes another envelope; most other damage must be noticed.
    assertTrue(refused > 10_000, "refused " + refused);
  }

  private static boolean reads(byte[] bytes, int round) {
    try {
      EnvelopeCodec.decode(bytes, 1);
      return true;
    } catch (UnreadableMessageException e) {
      return false;
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + SEED + " round " + round, e);
    }
  }

  private static byte[] damaged(Envelope envelope, Random random) {
    byte[] bytes = EnvelopeCodec.encode(envelope);
    int changes = 1 + random.nextInt(8);
    for (int i = 0; i < changes; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
  }

  private static byte[] noise(Random random) {
    byte[] bytes = new byte[random.nextInt(400)];
    random.nextBytes(bytes);
    if (bytes.length > 0) {
      bytes[0] = 1;
    }
    return bytes;
  }

  private static Envelope randomEnvelope(Random random) {
    Map<String, String> values = new LinkedHashMap<>();
    int count = random.nextInt(4) * random.nextInt(4);
    for (int i = 0; i < count; i++) {
      values.put(i + text(random, 20), text(random, 60));
    }
    Signature sig = random.nextBoolean() ? new Signature("s" + text(random, 50)) : null;
    return envelope(new Attributes(values), sig, random.nextLong());
  }

  private static String text(Random random, int most) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(most);
    for (int i = 0; i < length; i++) {
      int point = random.nextInt(random.nextBoolean() ? 0x80 : 0x10FFFF);
      text.appendCodePoint(point >= 0xD800 && point < 0xE000 ? 'x' : point);
    }
    return text.length() > most ? "" : text.toString();
  }

  private static Envelope envelope(Attributes attrs, @Nullable Signature sig, long seq) {
    return SampleMessages.message(
            BrokerContract.SECOND, seq, Instant.now(), new byte[] {1, 2}, attrs, sig)
        .envelope();
  }
}
