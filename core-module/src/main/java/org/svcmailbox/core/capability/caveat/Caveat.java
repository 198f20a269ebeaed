package org.svcmailbox.core.capability.caveat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.TopicName;

/** One condition of a capability. It can only deny. */
public sealed interface Caveat {
  /** Parses a caveat; a text that is none is {@link Unknown}. */
  static Caveat read(String text) {
    return CaveatText.read(text);
  }

  /** Empty when {@code access} satisfies this caveat. */
  Optional<Denial> denial(Access access);

  /** {@code topic = orders}. */
  record OneTopic(TopicName topic) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      return unless(topic.equals(access.topic()), Denial.TOPIC);
    }
  }

  /** {@code topic = orders.*}; the prefix ends with the dot, so {@code orders} does not match. */
  record TopicsBelow(String prefix) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      TopicName topic = access.topic();
      return unless(topic != null && topic.value().startsWith(prefix), Denial.TOPIC);
    }
  }

  /** {@code mailbox = <64 lower-case hex digits>}, at the rendezvous endpoint. */
  record OneMailbox(String recipient) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      return unless(recipient.equals(access.mailbox()), Denial.MAILBOX);
    }
  }

  /**
   * {@code idem_prefix = app1:}. It denies messages under other idempotency keys, and nothing else.
   */
  record KeysBelow(String prefix) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      boolean takesKey =
          access.operation() == Operation.SEND || access.operation() == Operation.DLQ_EDIT;
      return unless(!takesKey || allows(access.idemKey()), Denial.IDEM_KEY);
    }

    private boolean allows(@Nullable IdemKey key) {
      return key != null && key.value().startsWith(prefix);
    }
  }

  /** {@code ops = send,recv}. */
  record Operations(Set<Operation> operations) implements Caveat {
    public Operations {
      operations = Set.copyOf(operations);
    }

    @Override
    public Optional<Denial> denial(Access access) {
      return unless(access.operation().isAmong(operations), Denial.OPERATION);
    }
  }

  /** {@code expires < 2026-12-01T00:00:00Z}; exclusive. */
  record Expires(Instant end) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      return unless(access.now().isBefore(end), Denial.EXPIRED);
    }
  }

  /** {@code not_before > 2026-11-01T00:00:00Z}; exclusive. */
  record NotBefore(Instant start) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      return unless(access.now().isAfter(start), Denial.NOT_YET);
    }
  }

  /** {@code ip = 10.0.0.0/8}. */
  record From(IpRange range) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      return unless(access.client() != null && range.contains(access.client()), Denial.ADDRESS);
    }
  }

  /** Enforced by counting calls or leases; it denies nothing by itself. */
  sealed interface Counted extends Caveat {
    @Override
    default Optional<Denial> denial(Access access) {
      return Optional.empty();
    }
  }

  /** {@code rate = 100/s}. */
  record Rate(int calls, Duration period) implements Counted {}

  /** {@code max_inflight = 50}. */
  record MaxInflight(int leases) implements Counted {}

  record Unknown(String text) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      return Optional.of(Denial.UNKNOWN_CAVEAT);
    }
  }

  private static Optional<Denial> unless(boolean fulfilled, Denial denial) {
    return fulfilled ? Optional.empty() : Optional.of(denial);
  }
}
