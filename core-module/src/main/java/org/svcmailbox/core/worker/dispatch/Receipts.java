package org.svcmailbox.core.worker.dispatch;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.worker.state.Groups;

/**
 * Makes receipts that identify a life of their message's group in this worker. It begins with the
 * worker, or when the worker opens the group's log after another process.
 */
public final class Receipts {
  private static final class Life {
    private final String name;
    private final Instant bornAt;
    private long made;

    Life(RandomGenerator random, Instant bornAt) {
      this.name = Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX);
      this.bornAt = bornAt;
    }

    Receipt next() {
      made++;
      return new Receipt(name + "-" + Long.toUnsignedString(made, Character.MAX_RADIX));
    }
  }

  private final RandomGenerator random;
  private final Groups among;
  private final Life first;
  private final Map<WorkerId, Life> lives = new HashMap<>();

  public Receipts(RandomGenerator random, Groups among, Instant bornAt) {
    this.random = random;
    this.among = among;
    this.first = new Life(random, bornAt);
  }

  /** Begins a group's next life. */
  public void begin(WorkerId group, Instant bornAt) {
    lives.put(group, new Life(random, bornAt));
  }

  Receipt next(MsgId msgId) {
    return life(msgId).next();
  }

  /** Whether the receipt may belong to a lease of an earlier life of its message's group. */
  public boolean isOfEarlierLife(Receipt receipt, MsgId msgId) {
    Life life = life(msgId);
    boolean isOurs = receipt.value().startsWith(life.name + "-");
    return !isOurs && !msgId.createdAt().isAfter(life.bornAt);
  }

  private Life life(MsgId msgId) {
    return lives.isEmpty() ? first : lives.getOrDefault(among.groupOf(msgId.slot()), first);
  }
}
