package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.bounds.TestDisk;
import org.svcmailbox.core.broker.InMemoryBroker;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.supervision.SampleSupervision;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.test.concurrent.Together;

/** Topics deleted while others send and receive, on real threads. */
class TopicDeletionTest {
  private static final TopicName DOOMED = new TopicName("doomed");
  private static final TopicName KEPT = new TopicName("kept");
  private static final int WORKERS = 2;
  private static final int DELETIONS = 300;

  private final TestTime time = new TestTime();
  private final InMemoryBroker broker = new InMemoryBroker(time);
  private final InMemoryProjectionStore log = new InMemoryProjectionStore();

  @SuppressWarnings("NullAway.Init")
  private Mailbox mailbox;

  @BeforeEach
  void start() {
    Map<String, String> values = Map.of("mailbox.drain_deadline", "1s");
    MailboxSettings settings =
        SettingsLoader.load(key -> Optional.ofNullable(values.get(key)), values.keySet(), WORKERS);
    mailbox =
        new Mailbox(
            settings,
            new Mailbox.Ports(
                broker,
                new Mailbox.Stores(log, new InMemoryTopicStore(log::deleteTopic), entry -> {}),
                new TestDisk(),
                time,
                time,
                new Random(1),
                Runnable::run,
                caller -> {}));
    mailbox.start(SampleSupervision.ofNobody(), Thread::new);
  }

  @AfterEach
  void stop() {
    mailbox.drain();
  }

  @Test
  void nobodyElseNoticesADeletion() throws Exception {
    send(KEPT, "k");
    RecvOutcome held = recv(KEPT);
    AtomicBoolean over = new AtomicBoolean();
    List<Callable<Boolean>> parts = new ArrayList<>();
    parts.add(() -> keepSending(over, "a"));
    parts.add(() -> keepSending(over, "b"));
    parts.add(() -> keepReceiving(over));
    parts.add(() -> keepDeleting(over));
    assertTrue(Together.run(parts).stream().allMatch(fine -> fine));

    assertTrue(mailbox.isHealthy(), "a worker lost its session");
    assertEquals(2 * WORKERS + 1, broker.opened(), "a worker lost its session and has another one");
    LeasedMessage lease = assertInstanceOf(RecvOutcome.Delivered.class, held).messages().get(0);
    SettleOutcome settled =
        mailbox
            .settle(
                SampleCallers.OPERATOR,
                new SettleRequest.Ack(lease.message().envelope().msgId(), lease.receipt()))
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS);
    assertInstanceOf(SettleOutcome.Done.class, settled, settled::toString);
  }

  private boolean keepSending(AtomicBoolean over, String prefix) throws Exception {
    for (int i = 0; !over.get(); i++) {
      send(DOOMED, prefix + i);
    }
    return true;
  }

  private boolean keepReceiving(AtomicBoolean over) throws Exception {
    while (!over.get()) {
      recv(DOOMED);
    }
    return true;
  }

  private boolean keepDeleting(AtomicBoolean over) throws Exception {
    try {
      int deleted = 0;
      while (deleted < DELETIONS) {
        deleted += delete() ? 1 : 0;
      }
      return true;
    } finally {
      over.set(true);
    }
  }

  private boolean delete() {
    try {
      mailbox.topicAdmin().delete(SampleCallers.OPERATOR, DOOMED);
      return true;
    } catch (NotFoundException e) {
      // The senders have not recreated it yet.
      return false;
    }
  }

  private SendOutcome send(TopicName topic, String key) throws Exception {
    Payload payload = Payload.owning("x".getBytes(StandardCharsets.UTF_8));
    return mailbox
        .send(
            SampleCallers.OPERATOR,
            new SendRequest(
                topic, payload, new IdemKey(key), Attributes.NONE, null, null, Duration.ZERO, null))
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }

  private RecvOutcome recv(TopicName topic) throws Exception {
    return mailbox
        .recv(
            SampleCallers.OPERATOR,
            new RecvRequest(topic, null, 1, Long.MAX_VALUE, Duration.ZERO, null))
        .outcome()
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }
}
