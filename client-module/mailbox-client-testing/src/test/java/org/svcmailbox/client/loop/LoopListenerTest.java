package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.loop.LoopListener.Ending;
import org.svcmailbox.client.testing.FakeMailbox;
import org.svcmailbox.client.testing.FakeMailbox.Operation;

/** A listener hears of each message once, and how it ended. */
class LoopListenerTest extends LoopFixture {
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final AtomicInteger empty = new AtomicInteger();
  private final LoopListener listener =
      new LoopListener() {
        @Override
        public void received(String mailbox, int messages) {
          if (messages > 0) {
            heard.add(mailbox + " received " + messages);
          } else {
            empty.incrementAndGet();
          }
        }

        @Override
        public void receiveFailed(String mailbox, Throwable cause) {
          heard.add(mailbox + " failed: " + cause.getMessage());
        }

        @Override
        public void ended(String mailbox, Ending ending, Duration handling) {
          heard.add(mailbox + " " + ending + " " + handling);
        }
      };

  private MainLoop<String, String> listened(
      MessageHandler<String, String> handler,
      UnaryOperator<MainLoop.Builder<String, String>> settings) {
    return start(handler, builder -> settings.apply(builder.listener(listener)));
  }

  private void listened(MessageHandler<String, String> handler) {
    MainLoop<String, String> unused = listened(handler, builder -> builder);
  }

  private void awaitHeard(Object... what) {
    List<Object> wanted = List.of(what);
    await(() -> heard.size() >= wanted.size());
    assertEquals(wanted, heard);
  }

  @Test
  void aHandlerThatReturns() throws Exception {
    Waiting work = new Waiting();
    orders.send("apple");
    listened(work);
    work.awaitBegin();

    clock.advance(Duration.ofSeconds(3));
    release.countDown();

    awaitHeard("orders received 1", "orders ACKNOWLEDGED PT3S");
  }

  @Test
  void aHandlerThatThrows() {
    orders.send("apple");

    listened(
        message -> {
          throw new IllegalStateException("rotten");
        });

    awaitHeard("orders received 1", "orders RETRIED PT0S");
  }

  @Test
  void aReplyThatFails() {
    orders.send("apple", replies);
    replies.failAlways(Operation.SEND, LoopFixture::away);

    listened(message -> "yes");

    awaitHeard("orders received 1", "orders RETRIED PT0S");
  }

  @Test
  void aHandlerThatSettlesByItself() {
    orders.send("apple");

    listened(
        message -> {
          message.acknowledge();
          return null;
        });

    awaitHeard("orders received 1", "orders FINALIZED PT0S");
  }

  @Test
  void aDeadLetter() {
    orders.send("apple");
    receive().nack(Duration.ZERO, "crash");

    MainLoop<String, String> unused =
        listened(message -> null, builder -> builder.deadLetters(DLQConfig.to(dead, 1)));

    awaitHeard("orders received 1", "orders DEAD_LETTER PT0S");
  }

  @Test
  void aRequestPastItsDeadline() {
    var requests = this.<MainLoopRequest<String>, MainLoopResult<Integer>>requests();
    requests.send(new MainLoopRequest<>("apples").withDeadline(clock.now()));

    loops.add(
        MainLoop.<String, Integer>serving(requests, request -> 1)
            .visibility(VISIBILITY)
            .deadLetters(NEVER)
            .clock(clock)
            .listener(listener)
            .start());

    awaitHeard("requests received 1", "requests OUT_OF_TIME PT0S");
  }

  private <T, R> FakeMailbox<T, R> requests() {
    return fake("requests", MailboxResolver.of());
  }

  @Test
  void aHandlerThatTheEndOfTheLoopInterrupts() throws Exception {
    Waiting work = new Waiting();
    orders.send("apple");
    MainLoop<String, String> loop = listened(work, builder -> builder);
    work.awaitBegin();

    stopWhileTimePasses(loop);

    await(() -> heard.stream().anyMatch(each -> each.startsWith("orders RETURNED ")));
    assertEquals(2, heard.size());
  }

  @Test
  void aLeaseThatIsLost() throws Exception {
    Waiting work = new Waiting();
    orders.send("apple");
    listened(work);
    work.awaitBegin();
    orders.expireReceipts();

    clock.advance(THIRD);

    await(() -> heard.contains("orders LEASE_LOST PT10S"));
  }

  @Test
  void anAcknowledgementThatIsNotTaken() {
    orders.send("apple");
    orders.failAlways(Operation.ACKNOWLEDGE, () -> new IllegalStateException("no"));

    listened(message -> null);

    awaitHeard("orders received 1", "orders UNSETTLED PT0S");
  }

  @Test
  void aReceiveThatFailsAndTheNextOne() {
    orders.failNext(Operation.RECEIVE, LoopFixture::away);

    MainLoop<String, String> unused =
        listened(message -> null, builder -> builder.receiveWait(Duration.ZERO));
    awaitWhileTimePasses(Duration.ofSeconds(1), () -> empty.get() > 0);

    assertEquals(List.of("orders failed: away"), heard);
  }

  /** Others hold all that the mailbox gives out, which ends at any moment. */
  @Test
  void aFullMailboxIsAskedAgainSoonAndIsNoFailure() {
    for (int i = 0; i < 20; i++) {
      orders.failNext(Operation.RECEIVE, () -> new MailboxFullException("50 messages are held"));
    }
    orders.send("apple");

    long begun = clock.nanoTime();
    MainLoop<String, String> unused =
        listened(message -> null, builder -> builder.receiveWait(Duration.ZERO));
    awaitWhileTimePasses(Duration.ofMillis(100), () -> heard.size() >= 2);

    assertEquals(List.of("orders received 1", "orders ACKNOWLEDGED PT0S"), heard);
    assertTrue(Duration.ofNanos(clock.nanoTime() - begun).compareTo(Duration.ofSeconds(10)) < 0);
  }

  @Test
  void anExceptionOfAListenerIsItsOwn() {
    orders.send("apple");

    MainLoop<String, String> unused =
        start(
            message -> null,
            builder ->
                builder
                    .listener(
                        new LoopListener() {
                          @Override
                          public void received(String mailbox, int messages) {
                            throw new IllegalStateException("deaf");
                          }

                          @Override
                          public void ended(String mailbox, Ending ending, Duration handling) {
                            throw new IllegalStateException("deaf");
                          }
                        })
                    .listener(listener));

    awaitHeard("orders received 1", "orders ACKNOWLEDGED PT0S");
    await(() -> orders.approximateCount() == 0);
  }

  @Test
  void aConsumerHandlesMessagesWithoutReplies() {
    List<String> consumed = new CopyOnWriteArrayList<>();
    orders.send("apple");

    loops.add(
        MainLoop.consuming(
                orders, (Message<String, String> message) -> consumed.add(message.body()))
            .deadLetters(NEVER)
            .clock(clock)
            .start());

    await(() -> orders.approximateCount() == 0);
    assertEquals(List.of("apple"), consumed);
  }
}
