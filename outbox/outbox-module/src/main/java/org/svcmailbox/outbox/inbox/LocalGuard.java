package org.svcmailbox.outbox.inbox;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.outbox.event.MessageId;

/** Keeps copies apart within one process: as many keys as it handles messages at a time. */
public final class LocalGuard implements MessageGuard {
  private record Key(String consumer, MessageId id) {}

  private final Set<Key> handled = ConcurrentHashMap.newKeySet();

  @Override
  public boolean acquire(String consumer, MessageId id) {
    return handled.add(new Key(consumer, id));
  }

  @Override
  public void release(String consumer, MessageId id) {
    handled.remove(new Key(consumer, id));
  }
}
