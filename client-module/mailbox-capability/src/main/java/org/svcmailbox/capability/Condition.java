package org.svcmailbox.capability;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The meaning of a caveat. It can only deny. */
public sealed interface Condition {
  /** Whether {@code access} satisfies this condition. */
  boolean allows(Access access);

  /** {@code topic = orders}. */
  record OneTopic(String topic) implements Condition {
    @Override
    public boolean allows(Access access) {
      return topic.equals(access.topic());
    }
  }

  /** {@code topic = orders.*}; the prefix ends with the dot, so {@code orders} does not match. */
  record TopicsBelow(String prefix) implements Condition {
    @Override
    public boolean allows(Access access) {
      return startsWith(prefix, access.topic());
    }
  }

  /** {@code mailbox = <64 lower-case hex digits>}, at the rendezvous endpoint. */
  record OneMailbox(String recipient) implements Condition {
    @Override
    public boolean allows(Access access) {
      return recipient.equals(access.mailbox());
    }
  }

  /**
   * {@code idem_prefix = app1:}. It denies messages under other idempotency keys, and nothing else.
   */
  record KeysBelow(String prefix) implements Condition {
    @Override
    public boolean allows(Access access) {
      return !access.operation().takesKey() || startsWith(prefix, access.idemKey());
    }
  }

  /** {@code ops = send,recv}. */
  record Operations(Set<Operation> operations) implements Condition {
    public Operations {
      operations = Set.copyOf(operations);
    }

    @Override
    public boolean allows(Access access) {
      return access.operation().isAmong(operations);
    }
  }

  /** {@code expires < 2026-12-01T00:00:00Z}; exclusive. */
  record Expires(Instant end) implements Condition {
    @Override
    public boolean allows(Access access) {
      return access.now().isBefore(end);
    }
  }

  /** {@code not_before > 2026-11-01T00:00:00Z}; exclusive. */
  record NotBefore(Instant start) implements Condition {
    @Override
    public boolean allows(Access access) {
      return access.now().isAfter(start);
    }
  }

  /** {@code ip = 10.0.0.0/8}. An unknown address is in no range. */
  record From(IpRange range) implements Condition {
    @Override
    public boolean allows(Access access) {
      return access.client() != null && range.contains(access.client());
    }
  }

  /** A condition that counts calls or leases; it denies nothing by itself. */
  sealed interface Counted extends Condition {
    @Override
    default boolean allows(Access access) {
      return true;
    }
  }

  /** {@code rate = 100/s}. */
  record Rate(int calls, Duration period) implements Counted {}

  /** {@code max_inflight = 50}. */
  record MaxInflight(int leases) implements Counted {}

  /** A text that is no caveat. An unknown condition cannot be satisfied. */
  record Unknown() implements Condition {
    @Override
    public boolean allows(Access access) {
      return false;
    }
  }

  private static boolean startsWith(String prefix, @Nullable String text) {
    return text != null && text.startsWith(prefix);
  }
}
