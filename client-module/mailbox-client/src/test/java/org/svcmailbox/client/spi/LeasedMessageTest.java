package org.svcmailbox.client.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.MessageFinalizedException;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryDriver;
import org.svcmailbox.test.concurrent.Deadline;

class LeasedMessageTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final CountDownLatch settling = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private final AtomicInteger acknowledgements = new AtomicInteger();

  /** Acknowledging takes until the test lets it go on. */
  private AbstractMailbox<String, String> mailbox() {
    InMemoryDriver queue =
        new InMemoryDriver("slow", BackendFeatures.IN_MEMORY, 10, MailboxClock.system());
    MailboxDriver slow =
        (MailboxDriver)
            Proxy.newProxyInstance(
                MailboxDriver.class.getClassLoader(),
                new Class<?>[] {MailboxDriver.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("acknowledge")) {
                    acknowledgements.incrementAndGet();
                    settling.countDown();
                    answer.await();
                  }
                  return method.invoke(queue, arguments);
                });
    return new AbstractMailbox<>(
        "slow", slow, Codecs.utf8(), Codecs.utf8(), MailboxResolver.of()) {};
  }

  @Test
  void aSecondSettlementWaitsForTheFirstAndAnExtensionDoesNot() throws Exception {
    AbstractMailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> message = mailbox.receive(1, LEASE, Duration.ZERO).get(0);
    FutureTask<Void> first = settle(message);
    assertTrue(settling.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    FutureTask<Void> second = new FutureTask<>(message::acknowledge, null);
    Thread waiting = new Thread(second, "second");
    waiting.start();
    Deadline.in(PATIENCE)
        .await(
            () -> waiting.getState() == Thread.State.WAITING, () -> "the second settlement waits");

    message.extendVisibility(LEASE);
    answer.countDown();

    first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    ExecutionException refused =
        assertThrows(
            ExecutionException.class, () -> second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertInstanceOf(MessageFinalizedException.class, refused.getCause());
    assertEquals(1, acknowledgements.get());
  }

  private static FutureTask<Void> settle(Message<?, ?> message) {
    FutureTask<Void> settled = new FutureTask<>(message::acknowledge, null);
    new Thread(settled, "first").start();
    return settled;
  }
}
