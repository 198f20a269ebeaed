package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures.Ordering;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.MessageFinalizedException;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.ReplyNotAvailableException;

/** Replies reach the mailbox that a message names. */
abstract class ReplyCases extends SettlementCases {
  @Test
  void repliesArriveWithTheIdOfTheirRequest() {
    Mailbox<String, String> replies = mailbox();
    Mailbox<String, String> requests = mailbox(MailboxResolver.of(replies));
    requests.send("two apples", replies);
    Message<String, String> request = receive(requests);
    assertEquals(Optional.of(replies.name()), request.replyTo());

    Set<String> ids = new TreeSet<>(Set.of(request.reply("one"), request.reply("two")));
    ids.add(request.reply("two"));
    request.acknowledge();

    List<Message<String, String>> received = receive(replies, 3);
    assertEquals(
        List.of("one", "two", "two"), received.stream().map(Message::body).sorted().toList());
    received.forEach(
        reply -> {
          assertEquals(
              request.correlationId().orElse(request.id()), reply.correlationId().orElse(""));
          assertTrue(ids.remove(reply.id()));
        });
  }

  @Test
  void aReplyCarriesCorrelationAndTrace() {
    Mailbox<String, String> replies = mailbox();
    Mailbox<String, String> requests = mailbox(MailboxResolver.of(replies));
    requests.send(
        Outgoing.builder("two apples")
            .replyTo(replies)
            .correlationId("order-17")
            .traceparent(TRACEPARENT)
            .tracestate(TRACESTATE)
            .build());

    receive(requests).reply("one");

    Message<String, String> reply = receive(replies);
    assertEquals(Optional.of("order-17"), reply.correlationId());
    assertEquals(Optional.of(TRACEPARENT), reply.traceparent());
    assertEquals(Optional.of(TRACESTATE), reply.tracestate());
  }

  /**
   * The requester knows no other id, because the backend may have chosen the request's correlation
   * id.
   */
  @Test
  void aReplyNamesItsRequest() {
    Mailbox<String, String> replies = mailbox();
    Mailbox<String, String> requests = mailbox(MailboxResolver.of(replies));
    String id = requests.send("two apples", replies);
    Message<String, String> request = receive(requests);
    request.reply("one");

    Message<String, String> reply = receive(replies);

    assertEquals(Optional.of(id), reply.inReplyTo());
    assertEquals(Map.of(), reply.attributes());
    assertEquals(Optional.empty(), request.inReplyTo());
  }

  @Test
  void repliesToOneRequestArriveInOrder() {
    Mailbox<String, String> replies = mailbox();
    Mailbox<String, String> requests = mailbox(MailboxResolver.of(replies));
    requests.send("two apples", replies);
    Message<String, String> request = receive(requests);
    List<String> sent = IntStream.range(0, 9).mapToObj(String::valueOf).toList();
    sent.forEach(request::reply);

    List<String> received = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      Message<String, String> reply = receive(replies);
      received.add(reply.body());
      reply.acknowledge();
    }

    if (replies.features().ordering() == Ordering.BEST_EFFORT) {
      received.sort(null);
    }
    assertEquals(sent, received);
  }

  @Test
  void eachDeliveryRepliesForItself() {
    Mailbox<String, String> replies = mailbox();
    Mailbox<String, String> requests = mailbox(MailboxResolver.of(replies));
    requests.send("two apples", replies);

    Message<String, String> first = receive(requests);
    first.reply("of the first delivery");
    first.nack(Duration.ZERO, "again");
    receive(requests).reply("of the second delivery");

    assertEquals(
        Set.of("of the first delivery", "of the second delivery"), bodies(receive(replies, 2)));
  }

  @Test
  void aReplyAfterFinalizationIsRefused() {
    Mailbox<String, String> replies = mailbox();
    Mailbox<String, String> requests = mailbox(MailboxResolver.of(replies));
    requests.send(independentWithReply("one", replies));
    requests.send(independentWithReply("two", replies));

    List<Message<String, String>> received = receive(requests, 2);
    received.get(0).acknowledge();
    received.get(1).nack(LONG, "later");

    received.forEach(
        message -> assertThrows(MessageFinalizedException.class, () -> message.reply("late")));
    assertNothing(replies);
  }

  @Test
  void aReplyThatNobodyAsksForIsRefused() {
    Message<String, String> message = held();
    assertThrows(ReplyNotAvailableException.class, () -> message.reply("hello"));
    message.acknowledge();
  }

  @Test
  void aReplyToAnUnknownMailboxLeavesTheMessageHeld() {
    Mailbox<String, String> unknown = mailbox();
    Mailbox<String, String> requests = mailbox();
    requests.send("two apples", unknown);
    Message<String, String> message = receive(requests);

    assertThrows(ReplyNotAvailableException.class, () -> message.reply("hello"));

    assertFalse(message.isFinalized());
    assertNothing(requests);
    message.acknowledge();
  }

  private Outgoing<String, String> independentWithReply(
      String body, Mailbox<String, String> replies) {
    return independent(body).replyTo(replies).build();
  }
}
