package org.svcmailbox.client.sqs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.test.concurrent.Deadline;

/** A network on which every third request fails, in one way or another. */
class BadNetworkTest {
  private static final int PRODUCERS = 2;
  private static final int EACH = 50;
  private static final Duration LEASE = Duration.ofSeconds(1);

  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private final Map<String, String> bodies = new ConcurrentHashMap<>();
  private final Set<String> gone = ConcurrentHashMap.newKeySet();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger sending = new AtomicInteger(PRODUCERS);

  @Test
  void nothingIsLostAndAKeyIsOneMessage() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (ElasticMq server = new ElasticMq();
        Faults faults = new Faults(server)) {
      server.create("orders.fifo");
      try (SqsMailbox<String, String> mailbox =
          SqsMailbox.builder("orders.fifo", Codecs.utf8(), Codecs.utf8())
              .client(client -> ElasticMq.at(faults.uri(), client))
              .build()) {
        faults.everyThird();
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
          int producer = p;
          tasks.add(() -> produce(mailbox, producer));
        }
        for (int c = 0; c < 2; c++) {
          tasks.add(() -> consume(mailbox, server));
        }
        for (Future<Void> task : threads.invokeAll(tasks)) {
          task.get();
        }

        assertEquals(sent, Set.copyOf(bodies.values()));
        assertEquals(sent.size(), bodies.size(), "a key is one message");
        assertTrue(failures.get() > 0, "no call failed");
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Void produce(SqsMailbox<String, String> mailbox, int producer) {
    for (int i = 0; i < EACH; i++) {
      String body = producer + "/" + i;
      repeatedly(() -> mailbox.send(Outgoing.builder(body).key(body).group(body).build()));
      sent.add(body);
    }
    sending.decrementAndGet();
    return null;
  }

  private <A> A repeatedly(Supplier<A> call) {
    for (int i = 0; i < 100; i++) {
      try {
        return call.get();
      } catch (MailboxConnectionException | MailboxFullException e) {
        failures.incrementAndGet();
      }
    }
    return fail("no call succeeds");
  }

  /** Receives until nothing is left. A message does not come back after its acknowledgement. */
  private Void consume(SqsMailbox<String, String> mailbox, ElasticMq server) {
    Deadline deadline = Deadline.in(Duration.ofSeconds(60));
    while (sending.get() > 0 || repeatedly(mailbox::approximateCount) > 0) {
      assertTrue(!deadline.isOver(), () -> gone.size() + " of " + sent.size() + " are done");
      Set<String> goneBefore = Set.copyOf(gone);
      List<Message<String, String>> received =
          repeatedly(() -> mailbox.receive(10, LEASE, Duration.ZERO));
      if (received.isEmpty()) {
        server.passTime(LEASE);
      }
      for (Message<String, String> message : received) {
        assertTrue(!goneBefore.contains(message.id()), "delivered after its acknowledgement");
        bodies.put(message.id(), message.body());
        try {
          message.acknowledge();
          gone.add(message.id());
        } catch (MailboxConnectionException | MailboxFullException e) {
          failures.incrementAndGet();
        } catch (ReceiptHandleExpiredException e) {
          // Another consumer has it, or the answer to the first attempt was lost.
        }
      }
    }
    return null;
  }
}
