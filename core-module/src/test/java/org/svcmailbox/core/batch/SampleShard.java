package org.svcmailbox.core.batch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.envelope.Blake3;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.settings.TopicRetention;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;

/** A shard with made-up messages, whose rows continue one ledger. */
public final class SampleShard {
  private static final TopicSettings SETTINGS =
      new TopicSettings(
          4,
          1_000,
          Duration.ofMinutes(10),
          5,
          Duration.ofSeconds(5),
          Duration.ofMillis(100),
          Duration.ofSeconds(30),
          new TopicRetention(Duration.ofDays(4), 1_000, null, 1_000, Duration.ofDays(7), 1_000),
          Duration.ofMinutes(5));

  private final int topicId;
  private final int shard;
  private LedgerHead head;

  public SampleShard(int topicId, int shard) {
    this(topicId, shard, LedgerHead.EMPTY);
  }

  /** A shard whose ledger ends at {@code head}. */
  public SampleShard(int topicId, int shard, LedgerHead head) {
    this.topicId = topicId;
    this.shard = shard;
    this.head = head;
  }

  /** The row of a new message with a free key. */
  public Row row(String idemKey, Instant expiresAt) {
    return row(Instant.EPOCH, idemKey, expiresAt);
  }

  /** Rows of {@code count} new messages with the keys prefix-0, prefix-1, ... */
  public List<Row> rows(String prefix, int count, Instant expiresAt) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(prefix + "-" + i, expiresAt));
    }
    return rows;
  }

  /** The stored form of a key in this shard's topic. */
  public IdempotencyKey key(String idemKey) {
    return key(topicId, idemKey);
  }

  /** The stored form of a key in a topic. */
  public static IdempotencyKey key(int topicId, String idemKey) {
    return IdempotencyKey.of(topic(topicId, "topic-" + topicId), new IdemKey(idemKey));
  }

  /** A topic of four shards. */
  public static Topic topic(int id, String name) {
    return new Topic(id, new TopicName(name), TopicState.fresh(TopicOverrides.NONE, 4), SETTINGS);
  }

  /** The row of a message created at {@code moment}. */
  public Row made(Instant moment, String idemKey, Instant expiresAt) {
    return row(moment, idemKey, expiresAt);
  }

  private Row row(Instant moment, String idemKey, Instant expiresAt) {
    MsgId msgId = MsgId.create(shard, moment);
    Digest payloadHash = digest("payload of " + msgId);
    LedgerEntry entry = head.append(msgId, digest("chain of " + msgId));
    head = LedgerHead.after(entry);
    Reservation reservation = new Reservation(msgId, payloadHash, expiresAt);
    return new Row(key(idemKey), reservation, topicId, shard, entry);
  }

  /** Of any message, with a window that ends at a moment in milliseconds since 1970. */
  static Reservation reservation(long expiresAt) {
    MsgId msgId = new MsgId(0, 0);
    return new Reservation(msgId, digest("any"), Instant.ofEpochMilli(expiresAt));
  }

  private static Digest digest(String text) {
    return Blake3.domain("mailbox.sample").text(text).finish();
  }

  /** Which ledger it continues. */
  public LedgerId ledger() {
    return new LedgerId(topicId, shard);
  }
}
