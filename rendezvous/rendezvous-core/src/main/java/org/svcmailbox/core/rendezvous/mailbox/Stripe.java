package org.svcmailbox.core.rendezvous.mailbox;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.GetOutcome.Closing;
import org.svcmailbox.core.rendezvous.GetOutcome.Empty;
import org.svcmailbox.core.rendezvous.GetOutcome.Full;
import org.svcmailbox.core.rendezvous.GetOutcome.TooManyWaiters;
import org.svcmailbox.core.rendezvous.PostOutcome;

/**
 * Some of the mailboxes, under one lock. Foreign code never runs under it: receivers are returned
 * and called afterwards. A message is claimed in the same step in which it meets a waiting GET.
 *
 * <p>Times are ticker readings, which may only be subtracted.
 */
final class Stripe {
  /**
   * The result of a POST. If {@code needsMailbox}, it helps to drop an idle mailbox of another
   * stripe.
   */
  record Posted(PostOutcome outcome, boolean needsMailbox, @Nullable Claim claim) {
    static Posted refused(PostOutcome outcome) {
      return new Posted(outcome, false, null);
    }
  }

  /** The result of a GET; both fields are null while it waits. */
  record Got(@Nullable GetOutcome outcome, @Nullable Claim claim) {
    static final Got WAITS = new Got(null, null);
  }

  private final Limits limits;
  private final Delivery.Settlement settlement;
  private final Map<RecipientKey, Box> boxes = new HashMap<>();
  private final IdleOrder idle = new IdleOrder();
  private final ArrivalOrder messages = new ArrivalOrder();
  private final WaitingRoom waiting = new WaitingRoom();
  private int size;
  private boolean isClosing;

  /** New mailboxes start above this, because a dropped one may have been ahead of the clock. */
  private long leastSequence;

  Stripe(Limits limits, Delivery.Settlement settlement) {
    this.limits = limits;
    this.settlement = settlement;
  }

  /** Stores a message. A new mailbox counts from {@code millis} of the wall clock. */
  synchronized Posted post(
      RecipientKey key, @Nullable InetAddress client, byte[] body, long now, long millis) {
    if (isClosing) {
      return Posted.refused(PostOutcome.CLOSING);
    }
    Box box = boxes.get(key);
    if (box != null) {
      expire(box, now);
    }
    PostOutcome outcome = charge(box, client, Budget.charge(body));
    if (outcome != PostOutcome.STORED) {
      return Posted.refused(outcome);
    }
    if (box == null && !limits.mailboxes.tryTake()) {
      limits.budget.remove(Budget.charge(body), client);
      return new Posted(PostOutcome.FULL, true, null);
    }
    Box known = box == null ? create(key, now, millis) : box;
    append(known, new HeldMessage(known, body, known.takeSequence(), now, client));
    return new Posted(PostOutcome.STORED, false, claim(known, now));
  }

  private PostOutcome charge(@Nullable Box box, @Nullable InetAddress client, int charge) {
    if (!limits.budget.hasRoomFor(charge)) {
      return PostOutcome.FULL;
    }
    if (box != null && box.size() >= limits.maxQueueLength) {
      return PostOutcome.MAILBOX_FULL;
    }
    return limits.budget.tryAdd(charge, client, box == null ? 0 : box.bytes());
  }

  private Box create(RecipientKey key, long now, long millis) {
    Box box = new Box(key, Math.max(millis, leastSequence), now);
    boxes.put(key, box);
    return box;
  }

  private void append(Box box, HeldMessage message) {
    box.append(message);
    touch(box, message.arrived);
    messages.append(message);
    size++;
  }

  synchronized Got get(WaitingGet get, boolean waits, long now) {
    if (isClosing && waits) {
      return new Got(new Closing(), null);
    }
    Box box = boxes.get(get.key);
    if (box != null) {
      expire(box, now);
      touch(box, now);
      HeldMessage message = box.available();
      if (message != null) {
        return new Got(null, new Claim(get, handOver(box, message, false, now)));
      }
    }
    GetOutcome refusal = waits ? enqueue(get, box) : new Empty();
    return refusal == null ? Got.WAITS : new Got(refusal, null);
  }

  private @Nullable GetOutcome enqueue(WaitingGet get, @Nullable Box box) {
    InetAddress client = get.access.sender();
    if (client != null && waiting.of(get.key) >= limits.maxWaitingPerMailbox) {
      return new TooManyWaiters();
    }
    if (!limits.waitingClients.tryAdd(client, 1, limits.maxWaitingPerClient)) {
      return new TooManyWaiters();
    }
    if (!limits.waiting.tryTake()) {
      limits.waitingClients.remove(client, 1);
      return new Full();
    }
    waiting.add(get);
    if (box != null) {
      idle.remove(box);
    }
    return null;
  }

  synchronized void abandon(WaitingGet get, long now) {
    get.abandon();
    if (waiting.remove(get)) {
      left(get, now);
    }
  }

  private void left(WaitingGet get, long now) {
    limits.waiting.free();
    limits.waitingClients.remove(get.access.sender(), 1);
    Box box = boxes.get(get.key);
    if (box != null) {
      touch(box, now);
    }
  }

  synchronized List<WaitingGet> endWaits(long now) {
    List<WaitingGet> ended = new ArrayList<>();
    WaitingGet get = waiting.pollDue(now);
    while (get != null) {
      left(get, now);
      ended.add(get);
      get = waiting.pollDue(now);
    }
    return ended;
  }

  synchronized @Nullable Claim written(HeldMessage message, long now) {
    Box box = message.box;
    if (!box.isHandingOver(message)) {
      return null;
    }
    box.isBusy = false;
    forget(box.removeFirst());
    limits.delivered.increment();
    touch(box, now);
    return claim(box, now);
  }

  /**
   * Makes a message available again at its place, which it never left.
   *
   * @param wasSent whether a client may have part of it
   */
  synchronized @Nullable Claim returned(HeldMessage message, boolean wasSent, long now) {
    Box box = message.box;
    if (!box.isHandingOver(message)) {
      return null;
    }
    box.isBusy = false;
    if (wasSent) {
      limits.returned.increment();
    }
    touch(box, now);
    return claim(box, now);
  }

  private @Nullable Claim claim(Box box, long now) {
    if (box.isBusy || waiting.of(box.key) == 0) {
      return null;
    }
    expire(box, now);
    HeldMessage message = box.available();
    WaitingGet get = message == null ? null : waiting.poll(box.key);
    if (message == null || get == null) {
      return null;
    }
    Delivery delivery = handOver(box, message, true, now);
    left(get, now);
    return new Claim(get, delivery);
  }

  private Delivery handOver(Box box, HeldMessage message, boolean hasWaited, long now) {
    box.isBusy = true;
    return new Delivery(message, box.size() - 1, hasWaited, now, settlement);
  }

  /** Removes at most {@code most} expired messages and idle mailboxes; false if more may be due. */
  synchronized boolean evict(long now, int most) {
    int evicted = 0;
    HeldMessage message = messages.oldest();
    while (message != null && evicted < most && isExpired(message, now)) {
      HeldMessage newer = message.newer;
      if (message == message.box.oldestResting()) {
        evictOldest(message.box);
        rest(message.box);
        evicted++;
      }
      message = newer;
    }
    return evicted < most && dropIdle(now, most) < most;
  }

  private int dropIdle(long now, int most) {
    int dropped = 0;
    Box oldest = idle.oldest();
    while (oldest != null && dropped < most && now - oldest.lastUsed >= limits.idleTtl) {
      drop(oldest);
      dropped++;
      oldest = idle.oldest();
    }
    return dropped;
  }

  private boolean isExpired(HeldMessage message, long now) {
    return now - message.arrived >= limits.messageTtl;
  }

  private void expire(Box box, long now) {
    HeldMessage oldest = box.oldestResting();
    while (oldest != null && isExpired(oldest, now)) {
      evictOldest(box);
      oldest = box.oldestResting();
    }
    rest(box);
  }

  private void evictOldest(Box box) {
    forget(box.removeOldestResting());
    limits.evicted.increment();
  }

  private void forget(HeldMessage message) {
    messages.remove(message);
    limits.budget.remove(message.charge(), message.client);
    size--;
  }

  private void touch(Box box, long now) {
    box.lastUsed = now;
    idle.remove(box);
    rest(box);
  }

  private void rest(Box box) {
    if (!box.isIdle && box.size() == 0 && waiting.of(box.key) == 0) {
      idle.add(box);
    }
  }

  /** How long the least recently used idle mailbox has been unused; empty if none is idle. */
  synchronized OptionalLong idleFor(long now) {
    Box oldest = idle.oldest();
    return oldest == null ? OptionalLong.empty() : OptionalLong.of(now - oldest.lastUsed);
  }

  /** Drops one idle mailbox; false if there is none. */
  synchronized boolean dropLeastRecentlyUsed() {
    Box oldest = idle.oldest();
    if (oldest != null) {
      drop(oldest);
    }
    return oldest != null;
  }

  private void drop(Box box) {
    idle.remove(box);
    boxes.remove(box.key);
    leastSequence = Math.max(leastSequence, box.nextSequence());
    limits.mailboxes.free();
  }

  /** Refuses POSTs and waiting GETs from now on; returns the waiting ones. */
  synchronized List<WaitingGet> close(long now) {
    isClosing = true;
    List<WaitingGet> all = waiting.clear();
    all.forEach(get -> left(get, now));
    return all;
  }

  synchronized int clear() {
    int lost = 0;
    HeldMessage message = messages.oldest();
    while (message != null) {
      message.box.isBusy = false;
      forget(message.box.removeFirst());
      lost++;
      message = messages.oldest();
    }
    limits.lost.add(lost);
    return lost;
  }

  synchronized int size() {
    return size;
  }

  synchronized Optional<MailboxStats> stats(RecipientKey key) {
    return Optional.ofNullable(boxes.get(key))
        .map(
            box ->
                new MailboxStats(
                    box.size(), box.bytes(), waiting.of(key), box.isBusy, box.nextSequence()));
  }
}
