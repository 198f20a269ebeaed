package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.BrokerContract.FIRST;
import static org.svcmailbox.core.broker.BrokerContract.ORDERS;
import static org.svcmailbox.core.broker.BrokerContract.SECOND;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.broker.ArtemisProcess.Release;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.test.concurrent.Deadline;

/** A store that brokers of two releases have in turn. */
final class ReleaseChangeTest {
  /** More than the memory of an address, so most of them are in page files. */
  private static final int PAGED = 60;

  private static final int PAYLOAD = 100 * 1024;
  private static final Map<String, String> LITTLE_MEMORY =
      Map.of(
          "<max-size-bytes>268435456</max-size-bytes>", "<max-size-bytes>1048576</max-size-bytes>");

  @TempDir private Path directory;

  /** Kills each broker but the last. */
  @Test
  @Tag("nightly")
  void theLaterReleaseReadsAStoreOfTheServicesAndTheServicesReadsItAgain() {
    try (ArtemisProcess broker = ArtemisProcess.start(directory, Release.OURS, LITTLE_MEMORY)) {
      try (ArtemisBroker adapter = ArtemisFixture.adapter(broker.access())) {
        assertEquals(List.of(), adapter.violations());
        adapter.createQueues(ORDERS);
        send(adapter, FIRST, LongStream.rangeClosed(1, 4), 10);
        send(adapter, SECOND, LongStream.rangeClosed(1, PAGED), PAYLOAD);
        takeOne(adapter, 1);
        delay(adapter);
      }
      broker.kill();
    }
    try (ArtemisProcess broker = ArtemisProcess.start(directory, Release.LATER, LITTLE_MEMORY)) {
      assertHas(broker, 1, 1);
      try (ArtemisBroker adapter = ArtemisFixture.adapter(broker.access())) {
        send(adapter, FIRST, LongStream.of(5), 10);
        send(adapter, SECOND, LongStream.rangeClosed(PAGED + 1, 2 * PAGED), PAYLOAD);
        takeOne(adapter, 2);
      }
      broker.kill();
    }
    try (ArtemisProcess broker = ArtemisProcess.start(directory, Release.OURS, LITTLE_MEMORY)) {
      assertHas(broker, 2, 2);
      try (ArtemisBroker adapter = ArtemisFixture.adapter(broker.access())) {
        assertEquals(List.of(3L, 4L, 5L), receive(adapter, FIRST, 3));
        List<Long> all = LongStream.rangeClosed(1, 2 * PAGED).boxed().toList();
        assertEquals(all, receive(adapter, SECOND, 2 * PAGED));
      }
      broker.stop();
    }
  }

  private static void send(ArtemisBroker broker, ShardId shard, LongStream seqs, int bytes) {
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      seqs.forEach(seq -> session.enqueue(shard, message(shard, seq, bytes), null));
      session.commit();
    }
  }

  private static StoredMessage message(ShardId shard, long seq, int bytes) {
    return SampleMessages.message(
        shard, seq, Instant.now(), new byte[bytes], Attributes.NONE, null);
  }

  /** Makes a dead letter of the first message, and a batch of it. */
  private static void takeOne(ArtemisBroker broker, long batch) {
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      Delivery first = session.fetch(FIRST, 1, true).deliveries().get(0);
      Quarantine why = new Quarantine(DeadLetterReason.REJECTED, 1, "refused");
      session.quarantine(first, why, Instant.now().plusSeconds(600));
      SampleLog.of(session).append(batch);
      session.commit();
    }
  }

  private static void delay(ArtemisBroker broker) {
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      Instant hour = Instant.now().plusSeconds(3_600);
      session.enqueue(FIRST, SampleMessages.message(FIRST, 9, Instant.now()), hour);
      session.commit();
    }
  }

  private static void assertHas(ArtemisProcess process, int letters, long batch) {
    BrokerAccess access = process.access();
    assertEquals(letters, new QueueView(() -> access).deadLetters(ORDERS.name()).size());
    try (ArtemisBroker broker = ArtemisFixture.adapter(process.access())) {
      assertEquals(batch, SampleLog.lastBatch(broker, 0));
      assertEquals(1, broker.counts(FIRST).scheduled());
      assertEquals(List.of(), broker.violations());
    }
  }

  /** Of the messages that are there, in their order; nothing is acknowledged. */
  private static List<Long> receive(ArtemisBroker broker, ShardId shard, int count) {
    List<Delivery> found = new ArrayList<>();
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      Deadline.in(BrokerContract.PATIENCE)
          .await(
              () -> {
                found.addAll(session.fetch(shard, count, true).deliveries());
                return found.size() >= count;
              },
              () -> SampleMessages.seqs(found).toString());
    }
    return SampleMessages.seqs(found);
  }

  @Test
  void aReleaseThatIsNotTestedIsToldByName() throws Exception {
    String name = "untested.properties";
    Files.writeString(
        directory.resolve(name),
        """
        activemq.version.versionName=2.51.0
        activemq.version.majorVersion=1
        activemq.version.minorVersion=0
        activemq.version.microVersion=0
        activemq.version.incrementingVersion=136,135,134
        activemq.version.compatibleVersionList=134,135,136
        """);
    try (ArtemisProcess broker =
            ArtemisProcess.start(
                directory,
                Release.LATER,
                Map.of(),
                "-Dactivemq.version.property.filename=" + name);
        ArtemisBroker adapter = ArtemisFixture.adapter(broker.access())) {
      List<String> violations = adapter.violations();
      assertEquals(1, violations.size(), violations::toString);
      assertTrue(violations.get(0).contains("2.51.0"), violations::toString);
      assertTrue(violations.get(0).contains("run 2.52 or a later 2.x"), violations::toString);
    }
  }
}
