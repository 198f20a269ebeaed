package org.svcmailbox.core.capability;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.core.envelope.TopicName;

/**
 * One condition of a capability. It can deny, it cannot allow: what denies nothing says nothing.
 */
public sealed interface Caveat {
  /** Why it denies {@code access}; empty when it does not. */
  Optional<Denial> denial(Access access);

  /** {@code topic = orders}: this topic and no other. */
  record OneTopic(TopicName topic) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      return unless(topic.equals(access.topic()), Denial.TOPIC);
    }
  }

  /**
   * {@code topic = orders.*}: topics below one.
   *
   * @param prefix with the dot at its end, so {@code orders} itself is not meant
   */
  record TopicsBelow(String prefix) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      TopicName topic = access.topic();
      return unless(topic != null && topic.value().startsWith(prefix), Denial.TOPIC);
    }
  }

  /**
   * {@code mailbox = <64 lower-case hex digits>}: this mailbox of the rendezvous door, nothing
   * else.
   */
  record OneMailbox(String recipient) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      return unless(recipient.equals(access.mailbox()), Denial.MAILBOX);
    }
  }

  /** {@code ops = send,recv}: these operations. */
  record Operations(Set<Operation> operations) implements Caveat {
    public Operations {
      operations = Set.copyOf(operations);
    }

    @Override
    public Optional<Denial> denial(Access access) {
      return unless(access.operation().isAmong(operations), Denial.OPERATION);
    }
  }

  /** {@code expires < 2026-12-01T00:00:00Z}: before this moment, not at it. */
  record Expires(Instant end) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      return unless(access.now().isBefore(end), Denial.EXPIRED);
    }
  }

  /** {@code not_before > 2026-11-01T00:00:00Z}: after this moment, not at it. */
  record NotBefore(Instant start) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      return unless(access.now().isAfter(start), Denial.NOT_YET);
    }
  }

  /** {@code ip = 10.0.0.0/8}: from these addresses. */
  record From(IpRange range) implements Caveat {
    @Override
    public Optional<Denial> denial(Access access) {
      return unless(access.client() != null && range.contains(access.client()), Denial.ADDRESS);
    }
  }

  /**
   * What is kept by counting, where calls or leases are counted; judged alone it denies nothing.
   */
  sealed interface Counted extends Caveat {
    @Override
    default Optional<Denial> denial(Access access) {
      return Optional.empty();
    }
  }

  /** {@code rate = 100/s}: so many calls in a period. */
  record Rate(int calls, Duration period) implements Counted {}

  /** {@code max_inflight = 50}: so many leases at once. */
  record MaxInflight(int leases) implements Counted {}

  /** Anything else. */
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
