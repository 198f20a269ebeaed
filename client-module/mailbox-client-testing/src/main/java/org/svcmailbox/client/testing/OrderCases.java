package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures.Ordering;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;

/** Messages come in the promised order, first and again. */
abstract class OrderCases extends SendingCases {
  @Test
  void messagesArriveInThePromisedOrder() {
    Mailbox<String, String> mailbox = mailbox();
    Ordering ordering = mailbox.features().ordering();
    List<String> sent = IntStream.range(0, 10).mapToObj(i -> "apple " + i).toList();
    sent.forEach(body -> mailbox.send(related(mailbox, body).build()));

    List<String> received = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      Message<String, String> message = receive(mailbox);
      received.add(message.body());
      message.acknowledge();
    }

    if (ordering == Ordering.BEST_EFFORT) {
      assertEquals(new TreeSet<>(sent), new TreeSet<>(received));
    } else {
      assertEquals(sent, received);
    }
  }

  @Test
  void aMessageThatComesBackPassesLaterOnes() {
    Mailbox<String, String> mailbox = mailbox();
    boolean ordered = mailbox.features().ordering() != Ordering.BEST_EFFORT;
    mailbox.send(related(mailbox, "first").build());
    Message<String, String> first = receive(mailbox);
    mailbox.send(related(mailbox, "second").build());

    first.nack(Duration.ZERO, "not yet");

    Message<String, String> next = receive(mailbox);
    assertEquals(ordered ? "first" : next.body(), next.body());
    next.acknowledge();
    Message<String, String> last = receive(mailbox);
    assertEquals(Set.of("first", "second"), Set.of(next.body(), last.body()));
  }

  @Test
  void aMessageWhoseLeaseEndedPassesLaterOnes() {
    Mailbox<String, String> mailbox = mailbox();
    boolean ordered = mailbox.features().ordering() != Ordering.BEST_EFFORT;
    mailbox.send(related(mailbox, "first").build());
    Message<String, String> first = receive(mailbox, shortly());
    mailbox.send(related(mailbox, "second").build());

    passTime(shortly());

    Message<String, String> next = receive(mailbox);
    assertEquals(ordered ? "first" : next.body(), next.body());
    assertFalse(first.isFinalized());
  }

  @Test
  void aBusyGroupDeliversNothingWhereOrderIsStrict() {
    Mailbox<String, String> mailbox = mailbox();
    if (mailbox.features().ordering() != Ordering.STRICT) {
      mailbox.send(independent("a1").build());
      mailbox.send(independent("a2").build());
      assertEquals(Set.of("a1", "a2"), bodies(receive(mailbox, 2)));
      return;
    }
    mailbox.send(Outgoing.builder("a1").group("a").build());
    mailbox.send(Outgoing.builder("a2").group("a").build());
    mailbox.send(Outgoing.builder("b1").group("b").build());
    Message<String, String> a1 = receive(mailbox);
    assertEquals("b1", receive(mailbox).body());
    assertNothing(mailbox);
    a1.nack(shortly(), "later");
    assertNothing(mailbox);
    passTime(shortly());
    Message<String, String> again = receive(mailbox);
    assertEquals("a1", again.body());
    again.acknowledge();
    assertEquals("a2", receive(mailbox).body());
  }

  @Test
  void aGroupIsRefusedWhereThereAreNone() {
    Mailbox<String, String> mailbox = mailbox();
    Outgoing<String, Object> grouped = Outgoing.builder("apple").group("a").build();
    if (mailbox.features().groups()) {
      mailbox.send(grouped);
      assertEquals("apple", receive(mailbox).body());
    } else {
      refused(UnsupportedOperationException.class, mailbox, () -> mailbox.send(grouped));
    }
  }

  @Test
  void messagesOfAnOrderedMailboxArriveInOrder() {
    Mailbox<String, String> mailbox = mailbox();
    if (!mailbox.features().groups()) {
      assertThrows(UnsupportedOperationException.class, () -> mailbox.ordered("customer-17"));
      return;
    }
    Mailbox<String, String> ordered = mailbox.ordered("customer-17");
    for (int i = 0; i < 10; i++) {
      ordered.send("apple " + i);
    }
    List<Outgoing<String, Object>> batch =
        IntStream.range(10, 15).mapToObj(i -> Outgoing.of("apple " + i)).toList();
    ordered.sendAll(batch).forEach(SendResult::orThrow);

    List<String> received = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      Message<String, String> message = receive(mailbox);
      received.add(message.body());
      message.acknowledge();
    }

    assertEquals(IntStream.range(0, 15).mapToObj(i -> "apple " + i).toList(), received);
    assertThrows(IllegalArgumentException.class, () -> mailbox.ordered(""));
  }

  /** A message whose order among similar ones is kept, if the backend keeps any. */
  private static Outgoing.Builder<String, Object> related(
      Mailbox<String, String> mailbox, String body) {
    Outgoing.Builder<String, Object> message = Outgoing.builder(body);
    return mailbox.features().groups() ? message.group("related") : message;
  }
}
