package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;

class PrefetchBufferTest {
  private static final ShardId SHARD = new ShardId(LeasingScene.TOPIC.name(), 0);

  private final PrefetchBuffer buffer = new PrefetchBuffer();

  /** A message whose payload has 9 bytes up to number 9, and 10 after it. */
  private static StoredMessage message(long seq) {
    return SampleMessages.message(SHARD, seq, Instant.EPOCH);
  }

  private static Delivery delivery(StoredMessage message) {
    return LeasingScene.delivery(message, false);
  }

  private List<Delivery> all() {
    return buffer.first(100).toList();
  }

  @Test
  void aReturnedMessageHasItsPlaceAgain() {
    List<Delivery> ordered =
        List.of(2L, 7L, 11L).stream().map(seq -> delivery(message(seq))).toList();
    buffer.add(ordered.get(2));
    buffer.add(ordered.get(0));
    buffer.add(ordered.get(1));
    assertEquals(ordered, all());
    buffer.remove(ordered.get(0));
    assertEquals(ordered.subList(1, 3), all());
    buffer.add(ordered.get(0));
    assertEquals(ordered, all());
    assertSame(ordered.get(0), buffer.first());
    assertEquals(ordered.subList(0, 2), buffer.first(2).toList());
  }

  @Test
  void ofTwoMessagesWithOneNumberTheOlderGoesFirst() {
    Delivery older = delivery(message(3));
    Delivery younger = delivery(SampleMessages.twin(older.message(), Instant.EPOCH.plusMillis(1)));
    buffer.add(younger);
    assertFalse(buffer.holds(older));
    buffer.add(older);
    assertEquals(List.of(older, younger), all());
  }

  @Test
  void sizeAndBytesFollowWhatItHas() {
    Delivery small = delivery(message(9));
    Delivery large = delivery(message(10));
    assertTrue(buffer.isEmpty());
    assertNull(buffer.first());
    buffer.add(small);
    buffer.add(large);
    assertEquals(List.of(2, 19L), List.of(buffer.size(), buffer.bytes()));
    assertFalse(buffer.isEmpty());
    buffer.remove(small);
    buffer.remove(small);
    assertEquals(List.of(1, 10L), List.of(buffer.size(), buffer.bytes()));
    buffer.clear();
    assertEquals(List.of(0, 0L), List.of(buffer.size(), buffer.bytes()));
  }

  /** Without the first one's end, its lease and another could have the same message. */
  @Test
  void aSecondDeliveryOfAMessageIsRefused() {
    StoredMessage message = message(1);
    Delivery first = delivery(message);
    Delivery second = LeasingScene.delivery(message, true);
    buffer.add(first);
    assertTrue(buffer.holds(second));
    assertThrows(IllegalStateException.class, () -> buffer.add(second));
    buffer.remove(second);
    assertSame(first, buffer.first());
    assertEquals(9, buffer.bytes());
  }

  @Test
  void messagesAreFoundByIdAndByWhatTheyAre() {
    List<Delivery> three = List.of(1L, 2L, 3L).stream().map(seq -> delivery(message(seq))).toList();
    three.forEach(buffer::add);
    assertSame(three.get(1), buffer.find(three.get(1).message().envelope().msgId()));
    assertNull(buffer.find(message(2).envelope().msgId()));
    assertEquals(
        List.of(three.get(1), three.get(2)),
        buffer.where(one -> one.message().envelope().seq() > 1, 5));
    assertEquals(List.of(three.get(1)), buffer.where(one -> one.message().envelope().seq() > 1, 1));
  }
}
