package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Experimental;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;

/**
 * The promises of every backend, as test cases. A backend extends this class in its tests; the
 * cases follow its {@link BackendFeatures}. No case is skipped: for a feature that the backend
 * lacks, the case expects the documented exception.
 *
 * <p>Each superclass has the cases of one topic: sending, order, keys, leases, settlement, replies,
 * waiting, closing, and bounds.
 *
 * <p>Every mailbox of a test is new, and closed after the test. The cases wait only through {@link
 * #passTime}, which sleeps or moves the backend's clock.
 */
@Experimental
public abstract class MailboxContract extends BoundsCases {
  @Test
  void nothingIsLostAndNoDeliveryHasTwoHolders() throws Exception {
    Mailbox<String, String> mailbox = mailbox();
    int producers = 4;
    int each = 50;
    Set<String> sent = ConcurrentHashMap.newKeySet();
    Set<String> done = ConcurrentHashMap.newKeySet();
    Map<String, String> held = new ConcurrentHashMap<>();
    AtomicInteger acknowledged = new AtomicInteger();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      int producer = p;
      tasks.add(
          () -> {
            for (int i = 0; i < each; i++) {
              sent.add(mailbox.send(independent(producer + "/" + i).build()).id());
            }
            return null;
          });
    }
    long end = System.nanoTime() + PATIENCE.multipliedBy(3).toNanos();
    for (int c = 0; c < 4; c++) {
      tasks.add(
          () -> {
            while (acknowledged.get() < producers * each) {
              if (System.nanoTime() - end > 0) {
                return fail("only " + acknowledged + " messages arrived");
              }
              for (Message<String, String> message : mailbox.receive(5, LONG, Duration.ZERO)) {
                String holder = held.put(message.id(), message.receiptHandle());
                assertNull(holder, "held by two");
                assertEquals(1, message.deliveryCount());
                message.acknowledge();
                held.remove(message.id());
                assertTrue(done.add(message.id()), "delivered after its acknowledgement");
                acknowledged.incrementAndGet();
              }
            }
            return null;
          });
    }
    for (Future<Void> task : threads(tasks.size()).invokeAll(tasks)) {
      task.get();
    }
    assertEquals(sent, done);
    assertNothing(mailbox);
  }
}
