package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.history.InMemoryHistoryStore;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.topic.MessageRates;
import org.svcmailbox.core.topic.TopicAdmin.Overview;
import org.svcmailbox.core.topic.TopicAdmin.TopicGlance;
import org.svcmailbox.core.topic.TopicAdmin.TopicPage;
import org.svcmailbox.core.topic.TopicAdmin.TopicTotals;
import org.svcmailbox.core.topic.TopicChoice;
import org.svcmailbox.core.topic.TopicOrder;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;

/** Lists of topics, of a whole mailbox. */
class TopicListTest {
  private final MailboxRig rig = new MailboxRig(1, Map.of("mailbox.ready_shards", "1"));
  private final HistoryReport history =
      rig.mailbox()
          .history(
              new HistoryReport.Sources(new InMemoryHistoryStore(), () -> 0, rig.time, rig.time));

  private void send(String topic, int count) {
    for (int i = 0; i < count; i++) {
      rig.send(topic, topic + i, "x");
    }
  }

  private TopicPage page(String part, TopicOrder order, int limit, @Nullable String after) {
    return rig.mailbox()
        .topicAdmin()
        .page(
            rig.caller,
            new TopicChoice(part, order, limit),
            after == null ? null : new TopicName(after));
  }

  private static List<String> names(TopicPage page) {
    return page.topics().stream().map(topic -> topic.glance().name().value()).toList();
  }

  @Test
  void aTopicShowsWhatItHoldsAndHowFastItGoes() {
    send("orders", 4);
    rig.send("orders", "later", "x", null, Duration.ofHours(1));
    rig.pass(Duration.ofMillis(9_500));
    List<LeasedMessage> taken = ((Delivered) rig.recvNow("orders", 2)).messages();
    rig.ack(taken.get(0).message().envelope().msgId(), taken.get(0).receipt());
    rig.mailbox().queues().step();
    rig.pass(Duration.ofMillis(500));
    history.look();

    Overview all = rig.mailbox().topicAdmin().list(rig.caller, TopicChoice.ALL);
    TopicGlance orders = all.topics().get(0);
    assertEquals(
        "2 1 1 3",
        orders.ready() + " " + orders.scheduled() + " " + orders.inflight() + " " + orders.depth());
    assertEquals(new MessageRates(0.5, 0.2, 0.1), orders.rates());
    assertEquals(new TopicTotals(1, 2, 1, 1, 0, orders.rates()), all.totals());
  }

  @Test
  void pagesGoByNameAndOtherOrdersHaveOneAnswer() {
    send("orders.eu", 1);
    send("orders.us", 3);
    send("mails", 2);
    TopicPage first = page("", TopicOrder.NAME, 2, null);
    assertEquals(List.of("mails", "orders.eu"), names(first));
    assertEquals(new TopicName("orders.eu"), first.next());
    TopicPage last = page("", TopicOrder.NAME, 2, "orders.eu");
    assertEquals(List.of("orders.us"), names(last));
    assertNull(last.next());
    assertEquals(first.totals(), last.totals(), "of all pages");

    TopicPage most = page("", TopicOrder.READY, 2, null);
    assertEquals(List.of("orders.us", "mails"), names(most));
    assertNull(most.next());
    assertEquals(3, most.totals().topics());
    TopicPage found = page("ORDERS", TopicOrder.READY, 1, null);
    assertEquals(List.of("orders.us"), names(found));
    assertEquals(new TopicTotals(2, 4, 0, 0, 0, MessageRates.NONE), found.totals());
    assertEquals(List.of(), names(page("none", TopicOrder.NAME, 1, null)));
  }

  /** The budget of a list call. Starting a mailbox with so many topics takes a minute. */
  @Test
  @Tag("nightly")
  void fiveThousandTopicsAreListedWithinATenthOfASecond() {
    MailboxRig large = new MailboxRig(1, Map.of("mailbox.ready_shards", "4"));
    for (int i = 0; i < 5_000; i++) {
      TopicName name = new TopicName("orders.region-" + i % 7 + ".shop-" + i);
      var unused = large.topics.create(name, TopicState.fresh(TopicOverrides.NONE, 4), i);
    }
    large.prepareAgain();
    Duration best = Duration.ofDays(1);
    for (TopicOrder order : TopicOrder.values()) {
      long begun = System.nanoTime();
      TopicPage page =
          large
              .mailbox()
              .topicAdmin()
              .page(large.caller, new TopicChoice("shop", order, 200), null);
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      assertEquals(5_000, page.totals().topics());
      assertEquals(200, page.topics().size());
      best = took.compareTo(best) < 0 ? took : best;
    }
    Duration quickest = best;
    assertTrue(best.toMillis() < 100, () -> "the best of all orders took " + quickest);
  }

  @Test
  void oneTopicNeedsItsRightAndAllNeedOneForAll() {
    send("orders", 1);
    send("mails", 1);
    Caller reader = new SampleCallers().caller(1, "ops = peek", "topic = orders");
    TopicName orders = new TopicName("orders");
    Overview seen = rig.mailbox().topicAdmin().list(reader, orders);
    assertEquals(1, seen.totals().topics());
    assertNull(seen.undeliverable());
    assertThrows(
        DeniedException.class,
        () -> rig.mailbox().topicAdmin().list(reader, new TopicName("mails")));
    assertThrows(
        DeniedException.class, () -> rig.mailbox().topicAdmin().list(reader, TopicChoice.ALL));
    assertThrows(
        NotFoundException.class,
        () -> rig.mailbox().topicAdmin().list(rig.caller, new TopicName("none")));
  }
}
