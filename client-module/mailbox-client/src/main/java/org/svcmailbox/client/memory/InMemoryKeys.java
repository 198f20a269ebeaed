package org.svcmailbox.client.memory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.KeyScope;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.spi.EncodedBody;

/** The keys that are taken, each by one message. Guarded by its driver's lock. */
final class InMemoryKeys {
  /** The message that took a key. */
  record Owner(String id, EncodedBody payload) {}

  private record Expiry(String key, long at) {}

  private final boolean windowed;
  private final Duration window;
  private final MailboxClock clock;
  private final Map<String, Owner> owners = new HashMap<>();

  /** In the order of their moments, because all windows are equally long. */
  private final Deque<Expiry> expiries = new ArrayDeque<>();

  InMemoryKeys(BackendFeatures features, MailboxClock clock) {
    this.windowed = features.keys() == KeyScope.WINDOW;
    this.window = features.keyWindow();
    this.clock = clock;
  }

  @Nullable Owner owner(String key) {
    purgeExpired();
    return owners.get(key);
  }

  /** How many keys are taken. */
  int size() {
    purgeExpired();
    return owners.size();
  }

  void reserve(String key, String id, EncodedBody payload) {
    owners.put(key, new Owner(id, payload));
    if (windowed) {
      expiries.add(new Expiry(key, clock.deadline(window)));
    }
  }

  /** The message is gone. */
  void release(@Nullable String key) {
    if (key != null && !windowed) {
      owners.remove(key);
    }
  }

  private void purgeExpired() {
    for (Expiry next = expiries.peek();
        next != null && clock.isPast(next.at);
        next = expiries.peek()) {
      expiries.remove();
      owners.remove(next.key);
    }
  }
}
