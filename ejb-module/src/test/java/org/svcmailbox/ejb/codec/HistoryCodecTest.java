package org.svcmailbox.ejb.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageHistory;

final class HistoryCodecTest {
  private static final Random RANDOM = new Random(20261122);

  private static MessageEvent randomEvent() {
    MessageEvent.Kind[] kinds = MessageEvent.Kind.values();
    return new MessageEvent(
        kinds[RANDOM.nextInt(kinds.length)],
        Instant.ofEpochMilli(RANDOM.nextLong(1L << 42)),
        RANDOM.nextInt(1_001),
        "é€\uD83D\uDE80 ".repeat(RANDOM.nextInt(200)),
        RANDOM.nextBoolean() ? null : SampleMessages.HOLDER);
  }

  private static MessageHistory randomHistory() {
    MessageHistory history = MessageHistory.NONE;
    for (int i = RANDOM.nextInt(60); i >= 0; i--) {
      history = history.with(randomEvent());
    }
    return history;
  }

  @Test
  void whatWasWrittenIsReadAgain() throws UnreadableMessageException {
    for (int round = 0; round < 200; round++) {
      MessageHistory history = randomHistory();
      assertEquals(history, HistoryCodec.decode(HistoryCodec.encode(history)), "round " + round);
    }
    assertEquals(
        MessageHistory.NONE, HistoryCodec.decode(HistoryCodec.encode(MessageHistory.NONE)));
  }

  @Test
  void itsBytesAreThoseOfTheDataFormat() {
    MessageEvent event =
        new MessageEvent(MessageEvent.Kind.EXPIRED, Instant.ofEpochMilli(258), 3, "é", null);
    byte[] expected = {
      1,
      0,
      0,
      0,
      2,
      0,
      0,
      0,
      1,
      1, // version, dropped, reprocessed, events
      1,
      0,
      0,
      0,
      0,
      0,
      0,
      1,
      2,
      0,
      0,
      0,
      3, // kind, time, attempt
      0,
      2,
      (byte) 0xC3,
      (byte) 0xA9,
      0 // note, no capability
    };
    assertEquals(
        Arrays.toString(expected),
        Arrays.toString(HistoryCodec.encode(new MessageHistory(List.of(event), 2, 1))));
  }

  @Test
  void everyCutIsRefused() {
    byte[] whole = HistoryCodec.encode(MessageHistory.NONE.with(SampleMessages.refused(1, "no")));
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThrows(UnreadableMessageException.class, () -> HistoryCodec.decode(cut));
    }
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    assertThrows(UnreadableMessageException.class, () -> HistoryCodec.decode(longer));
  }

  @Test
  void garbageIsRefusedOrReadButNothingElse() {
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = HistoryCodec.encode(randomHistory());
      for (int i = RANDOM.nextInt(8); i >= 0; i--) {
        bytes[RANDOM.nextInt(Math.min(bytes.length, 80))] = (byte) RANDOM.nextInt(256);
      }
      refused += reads(bytes, round) ? 0 : 1;
    }
    // Damage inside a time or a number makes another history; most other damage must be noticed.
    assertTrue(refused > 10_000, "refused " + refused);
  }

  private static boolean reads(byte[] bytes, int round) {
    try {
      HistoryCodec.decode(bytes);
      return true;
    } catch (UnreadableMessageException e) {
      return false;
    } catch (RuntimeException e) {
      throw new AssertionError("round " + round, e);
    }
  }
}
