package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;

/** A mailbox limit that is filled, exceeded, and drained a bit, by hand. */
abstract class Edge {
  static final String TOPIC = "orders";
  private static final String HALF_MEBIBYTE = "x".repeat(1 << 19);

  final MailboxRig rig;
  private int keys;

  private Edge(String... settings) {
    Map<String, String> values = new HashMap<>();
    values.put("mailbox.workers", "1");
    values.put("mailbox.ready_shards", "1");
    for (int i = 0; i < settings.length; i += 2) {
      values.put("mailbox." + settings[i], settings[i + 1]);
    }
    rig = new MailboxRig(1, values);
  }

  String key() {
    return "key " + keys++;
  }

  /** Fills up to the limit. */
  abstract void fill();

  /** Asks for one more. */
  abstract CompletionStage<?> over();

  /** Frees as much room as {@link #fill} needs. */
  abstract void drain();

  CompletionStage<RecvOutcome> recv(int max, Duration wait) {
    return rig.recv(TOPIC, max, Duration.ofHours(1), wait).outcome();
  }

  /** Messages that are held until acknowledged. */
  private static final class Leases extends Edge {
    private final Queue<LeasedMessage> held = new ArrayDeque<>();

    Leases(String setting, String value, String payload) {
      super(setting, value);
      for (int i = 0; i < 20; i++) {
        rig.send(TOPIC, key(), payload);
      }
    }

    @Override
    void fill() {
      RecvOutcome outcome = MailboxRig.answered(recv(2, Duration.ZERO));
      held.addAll(assertInstanceOf(Delivered.class, outcome).messages());
      assertEquals(2, held.size());
    }

    @Override
    CompletionStage<?> over() {
      return recv(1, Duration.ZERO);
    }

    @Override
    void drain() {
      LeasedMessage one;
      while ((one = held.poll()) != null) {
        rig.ack(one.message().envelope().msgId(), one.receipt());
      }
    }
  }

  /** SENDs that the worker has not taken yet. */
  private static final class Sends extends Edge {
    private final String payload;

    Sends(String setting, String value, String payload) {
      super(setting, value);
      this.payload = payload;
    }

    @Override
    void fill() {
      assertFalse(rig.submit(TOPIC, key(), payload).isDone());
      assertFalse(rig.submit(TOPIC, key(), payload).isDone());
    }

    @Override
    CompletionStage<?> over() {
      return rig.submit(TOPIC, key(), "x");
    }

    @Override
    void drain() {
      rig.run();
    }
  }

  private static final class Inbox extends Edge {
    Inbox() {
      super("shard_capacity", "1");
    }

    @Override
    void fill() {
      for (int i = 0; i < 4; i++) {
        assertFalse(over().toCompletableFuture().isDone());
      }
    }

    @Override
    CompletionStage<?> over() {
      return rig.mailbox()
          .settle(rig.caller, new SettleRequest.Ack(MsgId.create(0, Instant.EPOCH), null));
    }

    @Override
    void drain() {
      rig.run();
    }
  }

  private static final class Waits extends Edge {
    Waits() {
      super("max_waiting", "2");
    }

    @Override
    void fill() {
      assertFalse(over().toCompletableFuture().isDone());
      assertFalse(over().toCompletableFuture().isDone());
    }

    @Override
    CompletionStage<?> over() {
      return recv(1, Duration.ofSeconds(30));
    }

    @Override
    void drain() {
      rig.send(TOPIC, key(), "x");
      rig.send(TOPIC, key(), "x");
    }
  }

  private static final class Keys extends Edge {
    Keys() {
      super("dedup_capacity", "10", "t_replay", "1s");
      for (int i = 0; i < 8; i++) {
        rig.send(TOPIC, key(), "x");
        // Keys of one moment are purged together.
        rig.pass(Duration.ofMillis(1));
      }
      rig.pass(Duration.ofSeconds(2));
    }

    @Override
    void fill() {
      for (int i = 0; i < 2; i++) {
        SendOutcome outcome = rig.send(TOPIC, key(), "x");
        assertInstanceOf(SendOutcome.Accepted.class, outcome, outcome::toString);
      }
    }

    @Override
    CompletionStage<?> over() {
      var reply = rig.submit(TOPIC, key());
      rig.run();
      return reply;
    }

    @Override
    void drain() {
      rig.mailbox()
          .limits()
          .keysPurged(rig.mailbox().registry().purgeExpired(rig.time.instant(), 2));
    }
  }

  /** Every limit of the mailbox that drains. */
  enum Which {
    SHARD_CAPACITY,
    PENDING_BYTES,
    WORKER_INBOX,
    MAX_WAITING,
    DEDUP_CAPACITY,
    GLOBAL_INFLIGHT,
    GLOBAL_INFLIGHT_BYTES;

    Edge edge() {
      return switch (this) {
        case SHARD_CAPACITY -> new Sends("shard_capacity", "2", "x");
        case PENDING_BYTES -> nearlyFull();
        case WORKER_INBOX -> new Inbox();
        case MAX_WAITING -> new Waits();
        case DEDUP_CAPACITY -> new Keys();
        case GLOBAL_INFLIGHT -> new Leases("global_inflight", "2", "x");
        case GLOBAL_INFLIGHT_BYTES -> new Leases("global_inflight_bytes", "1048576", HALF_MEBIBYTE);
      };
    }

    private static Edge nearlyFull() {
      Edge edge = new Sends("shard_capacity", "100", HALF_MEBIBYTE);
      edge.rig.mailbox().limits().pendingBytes().total().add(Limits.MAX_PENDING_BYTES - (1 << 20));
      return edge;
    }

    String reason() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
