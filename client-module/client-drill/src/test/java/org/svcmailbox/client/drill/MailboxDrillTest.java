package org.svcmailbox.client.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.testing.FakeMailbox;
import org.svcmailbox.client.testing.FakeMailbox.Operation;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.HistoryChecker;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/** The drill finds nothing on an honest client, and each planted fault. */
class MailboxDrillTest {
  private static final Duration LEASE = Duration.ofMillis(300);
  private static final Duration LATE = Duration.ofMillis(500);
  private static final int ENOUGH = 200;

  private final FakeMailbox<byte[], byte[]> honest =
      new FakeMailbox<>(
          "drill", Codecs.bytes(), Codecs.bytes(), MailboxResolver.of(), MailboxClock.system());

  /** Loses answers and refuses calls all the time, and returns everything that was found. */
  private List<String> found(Mailbox<byte[], byte[]> sender, Mailbox<byte[], byte[]> receiver)
      throws InterruptedException {
    HistoryRecorder recorder = new HistoryRecorder();
    try (MailboxDrill drill =
        new MailboxDrill("k", List.of(sender, sender), receiver, LEASE, recorder, new Random())) {
      drill.start();
      for (int enough = 10; enough <= ENOUGH; enough += 10) {
        // One at a time: the other would befall the repeat, which then has nothing to repeat.
        if (enough % 20 == 0) {
          honest.loseNextAnswer(Operation.SEND);
        } else {
          honest.failNext(Operation.SEND, MailboxDrillTest::lost);
        }
        Stream.of(Operation.ACKNOWLEDGE, Operation.NACK).forEach(honest::loseNextAnswer);
        long next = enough;
        Deadline.in(Duration.ofSeconds(60)).await(() -> drill.accepted() >= next, () -> "progress");
      }
      honest.heal();
      TopicEnd end = drill.drain();
      assertTrue(sender != honest || drill.unknown() > 0, "some sends end with UNKNOWN");
      List<String> found = new ArrayList<>(drill.findings());
      HistoryChecker.keysEndWithAck(0)
          .check(recorder.history(), List.of(end))
          .forEach(violation -> found.add(violation.toString()));
      return found;
    }
  }

  private static MailboxConnectionException lost() {
    return new MailboxConnectionException("lost", Outcome.UNKNOWN);
  }

  private void assertFound(
      String what, Mailbox<byte[], byte[]> sender, Mailbox<byte[], byte[]> receiver)
      throws InterruptedException {
    List<String> found = found(sender, receiver);
    assertTrue(found.stream().anyMatch(one -> one.startsWith(what)), found::toString);
  }

  @Test
  void anHonestClientPasses() throws InterruptedException {
    assertEquals(List.of(), found(honest, honest));
  }

  @Test
  void aClientThatTakesUnknownForSuccessIsFound() throws InterruptedException {
    assertFound("LOST", sending(honest::send, (message, e) -> new Sent("none", false)), honest);
  }

  /** No message is acknowledged before its send is over: an acknowledgement frees the key. */
  @Test
  void aRepeatWithANewKeyIsFound() throws InterruptedException {
    assertFound(
        "DUPLICATE",
        sending(
            message -> honest.send(late(message, "")),
            (message, e) -> honest.send(late(message, "'"))),
        honest);
  }

  private static Outgoing<byte[], Object> late(Outgoing<byte[], Object> message, String suffix) {
    String key = message.key().orElseThrow();
    return Outgoing.builder(message.body())
        .key(key + suffix)
        .correlationId(key)
        .delay(LATE)
        .build();
  }

  @Test
  void aLoopThatAcknowledgesBeforeItsHandlerIsFound() throws InterruptedException {
    Mailbox<byte[], byte[]> hasty =
        intercepting(
            "receive",
            arguments -> {
              List<Message<byte[], byte[]>> messages =
                  honest.receive(
                      (int) arguments[0], (Duration) arguments[1], (Duration) arguments[2]);
              messages.forEach(MailboxDrillTest::acknowledge);
              return messages;
            });
    assertFound("accepted, and finished by no handler", honest, hasty);
  }

  private static void acknowledge(Message<byte[], byte[]> message) {
    try {
      message.acknowledge();
    } catch (MailboxConnectionException e) {
      message.acknowledge();
    }
  }

  private interface Sending {
    Sent send(Outgoing<byte[], Object> message);
  }

  private interface Repair {
    Sent after(Outgoing<byte[], Object> message, MailboxConnectionException failure);
  }

  /** A client that does something of its own about a failed send. */
  private Mailbox<byte[], byte[]> sending(Sending sending, Repair repair) {
    return intercepting(
        "send",
        arguments -> {
          @SuppressWarnings("unchecked") // The drill sends nothing else.
          Outgoing<byte[], Object> message = (Outgoing<byte[], Object>) arguments[0];
          try {
            return sending.send(message);
          } catch (MailboxConnectionException e) {
            return repair.after(message, e);
          }
        });
  }

  private interface Answer {
    Object to(Object[] arguments);
  }

  @SuppressWarnings("unchecked") // A proxy has no type arguments.
  private Mailbox<byte[], byte[]> intercepting(String method, Answer answer) {
    return (Mailbox<byte[], byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Mailbox.class},
            (proxy, called, arguments) -> {
              if (called.getName().equals(method)) {
                return answer.to(arguments);
              }
              try {
                return called.invoke(honest, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
