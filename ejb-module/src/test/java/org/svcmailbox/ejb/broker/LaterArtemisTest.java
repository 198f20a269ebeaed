package org.svcmailbox.ejb.broker;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.HeldLetterContract;
import org.svcmailbox.core.broker.LetterAddress;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisProcess.Release;
import org.svcmailbox.ejb.broker.BrokerProcess.Command;
import org.svcmailbox.ejb.link.BrokerConnections;

/** The contract of a broker, on an Artemis that is later than the service's client. */
@SuppressWarnings("NullAway.Init")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("nightly")
final class LaterArtemisTest implements BrokerContract, HeldLetterContract {
  /** As in {@link EmbeddedArtemis}. */
  static final Map<String, String> SETTINGS =
      Map.of(
          "<journal-min-files>10</journal-min-files>",
          "<journal-min-files>2</journal-min-files>"
              + "<message-expiry-scan-period>100</message-expiry-scan-period>",
          "<max-delivery-attempts>100</max-delivery-attempts>",
          "<max-delivery-attempts>10</max-delivery-attempts>");

  private final QueueView view = new QueueView(() -> process().access());
  private Path directory;
  private int crashes;
  private ArtemisProcess process;
  private ArtemisBroker broker;

  private ArtemisProcess process() {
    return process;
  }

  /** A start takes longer than most tests. */
  @BeforeAll
  void start(@TempDir Path given) {
    directory = given;
    process = ArtemisProcess.start(directory.resolve("first"), Release.LATER, SETTINGS);
  }

  @BeforeEach
  void connect() {
    broker = adapter();
  }

  private ArtemisBroker adapter() {
    return ArtemisFixture.adapter(process.access());
  }

  @AfterEach
  void empty() {
    broker.close();
    try (BrokerConnections connections = new BrokerConnections(process.access());
        BrokerAdmin admin = new BrokerAdmin(connections)) {
      for (SimpleString queue : admin.queues().names()) {
        if (queue.startsWith(SimpleString.of("mailbox."))) {
          admin.queues().delete(queue);
        }
      }
      admin.queues().create(QueueNames.UNDELIVERABLE);
    }
  }

  @AfterAll
  void end() {
    process.close();
  }

  @Override
  public Broker broker() {
    return broker;
  }

  @Override
  public Broker crashAndReopen() {
    crashes++;
    process.crashInto(directory.resolve("after-" + crashes));
    broker.close();
    broker = adapter();
    return broker;
  }

  @Override
  public List<ObservedLetter> deadLetters(TopicName topic) {
    return view.deadLetters(topic);
  }

  @Override
  public List<LetterAddress> addresses(TopicName topic) {
    return broker.letterQueues().browse(topic, 0).stream()
        .map(letter -> new LetterAddress(topic, letter.segment(), letter.position().bits()))
        .toList();
  }

  @Override
  public void plantUnreadable(ShardId shard) {
    view.plant(QueueNames.of(shard), 1);
  }

  @Override
  public Runnable commitLate(BrokerSession session) {
    process.tell(Command.HOLD_COMMIT, QueueNames.log(WorkerId.of(0)));
    CompletableFuture<Void> committing = CompletableFuture.runAsync(session::commit);
    process.tell(Command.LOSE_CONNECTION, QueueNames.log(WorkerId.of(0)));
    ArtemisFixture.assertLost(committing);
    return () -> process.tell(Command.GO_ON, QueueNames.log(WorkerId.of(0)));
  }

  @Override
  public void takeLogFrom(BrokerSession session) {
    process.tell(Command.TAKE_FROM_CONSUMER, QueueNames.log(WorkerId.of(0)));
  }

  @Override
  public void endQuietly(BrokerSession session) {
    process.tell(Command.END_QUIETLY, QueueNames.log(WorkerId.of(0)));
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public void passUntil(Instant moment) {
    ArtemisFixture.passUntil(moment);
  }
}
