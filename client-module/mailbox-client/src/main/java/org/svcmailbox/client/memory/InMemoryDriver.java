package org.svcmailbox.client.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.Ordering;
import org.svcmailbox.client.Experimental;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.client.spi.MailboxDriver;

/**
 * The queue in memory, behind one lock. Public for test doubles that wrap it; applications use
 * {@link InMemoryMailbox}.
 *
 * <p>A message is in {@code messages} from its send to its acknowledgement. All that time it is in
 * exactly one of {@code ready}, ordered by place, and {@code hidden}, ordered by the moment when it
 * is ready again. No thread moves messages when their moment comes: every call does so first, and a
 * waiting receive waits no longer than until the next moment.
 */
@Experimental
public final class InMemoryDriver implements MailboxDriver {
  private static final Comparator<InMemoryMessage> BY_MOMENT =
      (a, b) -> {
        // Moments are compared by their difference, as nanoTime() asks.
        int order = Long.signum(a.hiddenUntil - b.hiddenUntil);
        return order != 0 ? order : Long.compare(a.place, b.place);
      };

  private final String name;
  private final BackendFeatures features;
  private final int capacity;
  private final MailboxClock clock;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, InMemoryMessage> messages = new HashMap<>();
  private final TreeMap<Long, InMemoryMessage> ready = new TreeMap<>();
  private final TreeSet<InMemoryMessage> hidden = new TreeSet<>(BY_MOMENT);
  private final InMemoryKeys keys;
  private final String idPrefix = UUID.randomUUID().toString().substring(0, 13);
  private long places;
  private boolean closed;

  /**
   * An empty queue.
   *
   * @param name for messages of exceptions
   * @param capacity how many messages fit, and how many keys are remembered
   */
  public InMemoryDriver(String name, BackendFeatures features, int capacity, MailboxClock clock) {
    this.name = name;
    this.features = features;
    this.capacity = capacity;
    this.clock = clock;
    this.keys = new InMemoryKeys(features, clock);
  }

  @Override
  public String location() {
    return "memory";
  }

  @Override
  public BackendFeatures features() {
    return features;
  }

  @Override
  public Sent send(EncodedMessage message) {
    lock.lock();
    try {
      requireOpen();
      Sent duplicate = duplicate(message);
      return duplicate != null ? duplicate : new Sent(add(message).id, false);
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Sent duplicate(EncodedMessage message) {
    String key = message.key();
    InMemoryKeys.Owner owner = key == null ? null : keys.owner(key);
    if (owner == null) {
      return null;
    }
    if (!features.keyConflicts()) {
      return new Sent(owner.id(), false);
    }
    if (!owner.payload().isSameAs(message.payload())) {
      throw new KeyConflictException("message " + owner.id() + " has this key and another body");
    }
    return new Sent(owner.id(), true);
  }

  private InMemoryMessage add(EncodedMessage message) {
    if (messages.size() >= capacity) {
      throw new MailboxFullException("mailbox " + name + " holds " + capacity + " messages");
    }
    if (message.key() != null && keys.size() >= capacity) {
      throw new MailboxFullException("mailbox " + name + " remembers " + capacity + " keys");
    }
    long place = places++;
    String id = idPrefix + "-" + place;
    InMemoryMessage stored = new InMemoryMessage(place, id, message, clock.now());
    messages.put(id, stored);
    if (message.key() != null) {
      keys.reserve(message.key(), id, message.payload());
    }
    showAfter(stored, message.delay());
    return stored;
  }

  @Override
  public List<DriverDelivery> receive(int maxMessages, Duration visibility, Duration wait)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long end = clock.deadline(wait);
      while (true) {
        showDue();
        List<DriverDelivery> taken = take(maxMessages, visibility);
        if (!taken.isEmpty() || closed || clock.isPast(end)) {
          return taken;
        }
        clock.await(lock, changed, earlier(end));
      }
    } finally {
      lock.unlock();
    }
  }

  private List<DriverDelivery> take(int maxMessages, Duration visibility) {
    List<DriverDelivery> taken = new ArrayList<>(Math.min(maxMessages, ready.size()));
    Set<String> busy = busyGroups();
    Iterator<InMemoryMessage> next = ready.values().iterator();
    while (taken.size() < maxMessages && next.hasNext()) {
      InMemoryMessage message = next.next();
      if (busy.isEmpty() || !busy.contains(group(message))) {
        next.remove();
        taken.add(message.deliver());
        hide(message, visibility);
      }
    }
    return taken;
  }

  /** The groups that deliver nothing now; none without strict order. */
  private Set<String> busyGroups() {
    if (features.ordering() != Ordering.STRICT) {
      return Set.of();
    }
    Set<String> busy = new HashSet<>();
    hidden.forEach(message -> busy.add(group(message)));
    return busy;
  }

  private static String group(InMemoryMessage message) {
    String group = message.message.group();
    return group == null ? "" : group;
  }

  @Override
  public void acknowledge(DriverDelivery delivery) {
    lock.lock();
    try {
      InMemoryMessage message = acknowledgeable(delivery);
      hidden.remove(message);
      ready.remove(message.place);
      messages.remove(message.id);
      keys.release(message.message.key());
      wakeForGroup();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void nack(DriverDelivery delivery, Duration visibility, String reason) {
    lock.lock();
    try {
      InMemoryMessage message = held(delivery);
      hidden.remove(message);
      message.release(features.nackReasons() ? reason : null);
      showAfter(message, visibility);
    } finally {
      lock.unlock();
    }
  }

  /** A call never hangs here, so one thread does for many. */
  @Override
  public int maxExtensions() {
    return features.maxBatch();
  }

  @Override
  public void extend(DriverDelivery delivery, Duration timeout) {
    lock.lock();
    try {
      InMemoryMessage message = held(delivery);
      hidden.remove(message);
      hide(message, timeout);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public OptionalLong purge() {
    lock.lock();
    try {
      requireOpen();
      int purged = messages.size();
      messages.values().forEach(message -> keys.release(message.message.key()));
      messages.clear();
      ready.clear();
      hidden.clear();
      return OptionalLong.of(purged);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long approximateCount() {
    lock.lock();
    try {
      requireOpen();
      return messages.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      messages.clear();
      ready.clear();
      hidden.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends every lease now, so that not even a late acknowledgement succeeds. */
  public void expireLeases() {
    lock.lock();
    try {
      for (InMemoryMessage message : List.copyOf(hidden)) {
        if (message.isHeld()) {
          hidden.remove(message);
          message.release(null);
          showAfter(message, Duration.ZERO);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Delivers a message again that was acknowledged; at-least-once delivery permits it. */
  public void redeliver(DriverDelivery acknowledged) {
    lock.lock();
    try {
      requireOpen();
      InMemoryMessage message = InMemoryMessage.after(acknowledged, places++);
      if (messages.putIfAbsent(message.id, message) == null) {
        showAfter(message, Duration.ZERO);
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many messages are under a lease. */
  public int heldCount() {
    lock.lock();
    try {
      showDue();
      return (int) hidden.stream().filter(InMemoryMessage::isHeld).count();
    } finally {
      lock.unlock();
    }
  }

  /** The message, if the delivery holds it, or nobody has since. */
  private InMemoryMessage acknowledgeable(DriverDelivery delivery) {
    requireOpen();
    showDue();
    InMemoryMessage message = messages.get(delivery.id());
    return message != null && features.lateAcknowledgements() && message.wasLastHeldBy(delivery)
        ? message
        : held(delivery);
  }

  /** The message, if the delivery still holds it. */
  private InMemoryMessage held(DriverDelivery delivery) {
    requireOpen();
    showDue();
    InMemoryMessage message = messages.get(delivery.id());
    if (message == null) {
      throw new ReceiptHandleExpiredException(delivery.id(), Why.GONE);
    }
    if (!message.isHeldBy(delivery)) {
      boolean redelivered = message.isHeld();
      throw new ReceiptHandleExpiredException(
          delivery.id(), redelivered ? Why.SUPERSEDED : Why.EXPIRED);
    }
    return message;
  }

  /** Makes every message ready that is due. */
  private void showDue() {
    while (!hidden.isEmpty() && clock.isPast(hidden.first().hiddenUntil)) {
      InMemoryMessage due = hidden.first();
      hidden.remove(due);
      if (due.isHeld()) {
        due.expire();
      }
      ready.put(due.place, due);
    }
  }

  private void showAfter(InMemoryMessage message, Duration delay) {
    if (delay.isZero()) {
      ready.put(message.place, message);
      changed.signal();
      wakeForGroup();
    } else {
      hide(message, delay);
    }
  }

  private void hide(InMemoryMessage message, Duration delay) {
    message.hiddenUntil = clock.deadline(delay);
    hidden.add(message);
    if (hidden.first() == message) {
      // Waiting receives wait until the first moment, which is now an earlier one.
      changed.signalAll();
    }
  }

  /** With strict order, a message that left may have kept others of its group from anyone. */
  private void wakeForGroup() {
    if (features.ordering() == Ordering.STRICT) {
      changed.signalAll();
    }
  }

  /** The earlier of a deadline and the next moment when something becomes ready. */
  private long earlier(long deadline) {
    if (hidden.isEmpty()) {
      return deadline;
    }
    long next = hidden.first().hiddenUntil;
    return next - deadline < 0 ? next : deadline;
  }

  private void requireOpen() {
    if (closed) {
      throw new MailboxClosedException(name);
    }
  }
}
