package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures.KeyScope;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;

/** Sends with the same key add one message, for as long as the backend keeps the key. */
abstract class KeyCases extends OrderCases {
  @Test
  void aRepeatedKeyIsOneMessage() {
    Mailbox<String, String> mailbox = mailbox();
    Outgoing<String, Object> keyed = Outgoing.builder("apple").key("order 17/ä").build();
    if (mailbox.features().keys() == KeyScope.NONE) {
      refused(UnsupportedOperationException.class, mailbox, () -> mailbox.send(keyed));
      return;
    }

    Sent first = mailbox.send(keyed);
    Sent second = mailbox.send(keyed);

    assertFalse(first.duplicate());
    assertEquals(first.id(), second.id());
    assertEquals(mailbox.features().keyConflicts(), second.duplicate());
    Message<String, String> message = receive(mailbox);
    assertNothing(mailbox);
    assertEquals(first.id(), mailbox.send(keyed).id());
    message.nack(Duration.ZERO, "again");
    assertEquals(first.id(), mailbox.send(keyed).id());
    receive(mailbox).acknowledge();
    assertNothing(mailbox);
  }

  @Test
  void oneBatchMeetsItsOwnKeys() {
    Mailbox<String, String> mailbox = mailbox();
    Outgoing<String, Object> keyed = Outgoing.builder("apple").key("order-17").build();
    if (mailbox.features().keys() == KeyScope.NONE) {
      refused(
          UnsupportedOperationException.class,
          mailbox,
          () -> mailbox.sendAll(List.of(keyed, keyed)));
      return;
    }

    List<SendResult> results = mailbox.sendAll(List.of(keyed, keyed));

    assertEquals(results.get(0).orThrow().id(), results.get(1).orThrow().id());
    receive(mailbox).acknowledge();
    assertNothing(mailbox);
  }

  @Test
  void aKeyWithAnotherBodyIsAConflict() {
    Mailbox<String, String> mailbox = mailbox();
    if (mailbox.features().keys() == KeyScope.NONE) {
      assertFalse(mailbox.features().keyConflicts());
      return;
    }
    mailbox.send(Outgoing.builder("apple").key("order-17").build());
    Outgoing<String, Object> other = Outgoing.builder("pear").key("order-17").build();

    if (mailbox.features().keyConflicts()) {
      assertThrows(KeyConflictException.class, () -> mailbox.send(other));
    } else {
      mailbox.send(other);
    }

    assertEquals("apple", receive(mailbox).body());
    assertNothing(mailbox);
  }

  @Test
  void aKeyIsFreeAgainWhenItsScopeEnds() {
    Mailbox<String, String> mailbox = mailbox();
    KeyScope scope = mailbox.features().keys();
    Duration window = mailbox.features().keyWindow();
    assertEquals(scope == KeyScope.WINDOW, !window.isZero());
    if (scope == KeyScope.NONE) {
      return;
    }
    Outgoing<String, Object> keyed = Outgoing.builder("apple").key("order-17").build();
    String first = mailbox.send(keyed).id();
    receive(mailbox).acknowledge();
    if (scope == KeyScope.WINDOW) {
      assertEquals(first, mailbox.send(keyed).id());
      assertNothing(mailbox);
      passTime(window);
    }

    Sent second = mailbox.send(keyed);

    assertFalse(second.duplicate());
    assertNotEquals(first, second.id());
    assertEquals(second.id(), receive(mailbox).id());
  }
}
