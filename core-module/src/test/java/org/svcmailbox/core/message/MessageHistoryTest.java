package org.svcmailbox.core.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;

class MessageHistoryTest {
  private static MessageEvent event(int attempt, int length) {
    return new MessageEvent(
        MessageEvent.Kind.NACKED,
        Instant.EPOCH,
        attempt,
        "x".repeat(length),
        SampleMessages.HOLDER);
  }

  @Test
  void theLastEventsAreKeptWithinTheRoomThereIs() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      List<MessageEvent> naive = new ArrayList<>();
      MessageHistory history = MessageHistory.NONE;
      int longest = 1 + random.nextInt(MessageEvent.MAX_NOTE);
      for (int attempt = 1; attempt <= 200; attempt++) {
        MessageEvent next = event(attempt, random.nextInt(longest));
        naive.add(next);
        while (naive.size() > MessageHistory.MAX_EVENTS || text(naive) > MessageHistory.MAX_TEXT) {
          naive.remove(0);
        }
        history = history.with(next);
        assertEquals(naive, history.events(), "seed " + seed + " attempt " + attempt);
        assertEquals(attempt, history.dropped() + history.events().size());
      }
    }
  }

  private static int text(List<MessageEvent> events) {
    return events.stream().mapToInt(event -> event.note().length()).sum();
  }

  @Test
  void atItsEdgesNothingIsDroppedTooEarly() {
    MessageHistory many = MessageHistory.NONE;
    for (int i = 1; i <= MessageHistory.MAX_EVENTS; i++) {
      many = many.with(event(i, 0));
    }
    assertEquals(0, many.dropped());
    assertEquals(1, many.with(event(51, 0)).dropped());
    MessageHistory longOnes = MessageHistory.NONE;
    for (int i = 1; i <= MessageHistory.MAX_TEXT / MessageEvent.MAX_NOTE; i++) {
      longOnes = longOnes.with(event(i, MessageEvent.MAX_NOTE));
    }
    assertEquals(0, longOnes.dropped());
    assertEquals(0, longOnes.with(event(17, 0)).dropped());
    assertEquals(1, longOnes.with(event(17, 1)).dropped());
  }

  @Test
  void reprocessingIsCountedAlsoWhenItIsNotKept() {
    MessageEvent back = new MessageEvent(MessageEvent.Kind.REDRIVEN, Instant.EPOCH, 5, "", null);
    MessageHistory history = MessageHistory.NONE.with(back);
    for (int i = 1; i <= MessageHistory.MAX_EVENTS; i++) {
      history = history.with(event(i, 0));
    }
    assertEquals(1, history.redrives());
    assertEquals(1, history.dropped());
    assertEquals(2, history.with(back).redrives());
  }

  @Test
  void whatIsNoEventIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> event(-1, 0));
    assertThrows(IllegalArgumentException.class, () -> event(1, MessageEvent.MAX_NOTE + 1));
    assertThrows(IllegalArgumentException.class, () -> new MessageHistory(List.of(), -1, 0));
    assertThrows(IllegalArgumentException.class, () -> new MessageHistory(List.of(), 0, -1));
  }

  @Test
  void theReasonOfANackIsKnownUntilTheNextDeliveryEnds() {
    StoredMessage sent =
        SampleMessages.message(new ShardId(new TopicName("t"), 0), 1, Instant.EPOCH);
    MessageEvent ranOut =
        new MessageEvent(
            MessageEvent.Kind.EXPIRED, Instant.EPOCH, 2, "ran out", SampleMessages.HOLDER);
    StoredMessage refused = sent.failed(SampleMessages.refused(1, "no basket"), Instant.EPOCH);

    assertNull(sent.nackReason());
    assertEquals("no basket", refused.nackReason());
    assertEquals("no basket", refused.returned("session lost", Instant.EPOCH).nackReason());
    assertNull(refused.failed(ranOut, Instant.EPOCH).nackReason());
    for (String none : List.of("", MessageEvent.NO_REASON)) {
      assertNull(sent.failed(SampleMessages.refused(1, none), Instant.EPOCH).nackReason());
    }
  }
}
