package org.svcmailbox.core.worker.state;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.bounds.InflightLimits;
import org.svcmailbox.core.bounds.ShardCounters;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/** Two leases of two messages under a capability that may hold one, and their shared limits. */
public final class LeasingScene {
  public static final Topic TOPIC = SampleShard.topic(1, "orders");
  private static final ShardId SHARD = new ShardId(TOPIC.name(), 0);
  private static final VerifiedCapability HOLDER = SampleCallers.capability(1, "max_inflight = 1");
  private static final Receipt RECEIPT = new Receipt("r");
  private static final List<Delivery> DELIVERIES =
      Stream.of(1, 2)
          .map(seq -> delivery(SampleMessages.message(SHARD, seq, Instant.EPOCH), false))
          .toList();

  private record Delivered(
      StoredMessage message, Instant readySince, boolean wasDelayed, long bytes)
      implements Delivery {
    @Override
    public boolean isVerified() {
      return true;
    }

    @Override
    public void verified() {}
  }

  private final TopicCounters topic = new TopicCounters(null, () -> 0);
  private final ShardState shard =
      new ShardState(SHARD, new ShardCounters(topic, () -> 0, new LongAdder()));
  final InflightLimits inflightLimits;
  public final List<Lease> leases =
      DELIVERIES.stream()
          .map(one -> new Lease(shard, TOPIC, one, RECEIPT, HOLDER.holder(), 0, 0))
          .toList();

  public LeasingScene(int most) {
    inflightLimits =
        new InflightLimits(
            new MailboxSettings.Bounds(
                most, 1_000, 10, 10, 10, OptionalInt.empty(), new FairShare(100)),
            () -> 0);
  }

  /** A delivery of a message that is ready since 1970. */
  static Delivery delivery(StoredMessage message, boolean wasDelayed) {
    return new Delivered(message, Instant.EPOCH, wasDelayed, message.payload().size());
  }

  /** A lease of one of the messages, with deadlines of its own. */
  public Lease lease(int message, long deadline, long until) {
    return new Lease(
        shard, TOPIC, DELIVERIES.get(message), RECEIPT, HOLDER.holder(), deadline, until);
  }

  boolean take(Lease lease) {
    return inflightLimits.tryAdd(lease.size(), TOPIC.name(), topic.inflight(), 10) == null;
  }

  /** All limits count {@code expected} leases. */
  void expect(int expected) {
    long messages = inflightLimits.messages().total().count();
    boolean agree = messages == expected && topic.inflight().count() == expected;
    if (!agree || (inflightLimits.bytes().total().count() == 0) != (expected == 0)) {
      throw new AssertionError(messages + " leases are counted, not " + expected);
    }
  }
}
