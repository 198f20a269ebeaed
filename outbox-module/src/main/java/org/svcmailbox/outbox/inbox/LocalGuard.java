package org.svcmailbox.outbox.inbox;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.outbox.event.MessageId;

/** Keeps copies apart within one process: as many ids as it handles messages at a time. */
public final class LocalGuard implements MessageGuard {
  private final Set<MessageId> handled = ConcurrentHashMap.newKeySet();

  @Override
  public boolean acquire(MessageId id) {
    return handled.add(id);
  }

  @Override
  public void release(MessageId id) {
    handled.remove(id);
  }
}
