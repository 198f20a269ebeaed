package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Somebody who presented a genuine capability: what every operation asks whether it may be done.
 * Any thread.
 */
public final class Caller {
  /** What becomes known of capabilities after their holders were let in. */
  interface Watch {
    /** Whether a capability was revoked meanwhile. */
    boolean isRevoked(CapabilityId id);

    /** A call was denied. */
    void denied();

    /** By the wall clock. */
    Instant now();
  }

  /** What is known of the capability's revocation. */
  enum Standing {
    GOOD,
    REVOKED,
    UNVERIFIED
  }

  private final Capability capability;
  private final Standing standing;
  private final @Nullable InetAddress address;
  private final Watch watch;

  Caller(Capability capability, Standing standing, @Nullable InetAddress address, Watch watch) {
    this.capability = capability;
    this.standing = standing;
    this.address = address;
    this.watch = watch;
  }

  /** What the caller presented. */
  public Capability capability() {
    return capability;
  }

  /** Where the call comes from, null when that is not known. */
  public @Nullable InetAddress address() {
    return address;
  }

  /** What the audit is to say of something that the caller does. */
  public AuditEntry audit(Instant now, String action, String subject, String note) {
    CapabilityId id = capability.id();
    return new AuditEntry(
        now,
        id.keyId() + ":" + id.nonce(),
        address == null ? "" : address.getHostAddress(),
        action,
        subject,
        note);
  }

  /**
   * Why the caller may not do {@code operation}; empty when it may.
   *
   * @param topic the topic concerned; null for what concerns no single one
   */
  public Optional<Denial> denial(Operation operation, @Nullable TopicName topic) {
    return noted(denials(operation, topic).findFirst());
  }

  /**
   * As {@link #denial}, for a mailbox of the rendezvous door. A capability for a topic is denied.
   *
   * @param mailbox 64 lower-case hex digits
   */
  public Optional<Denial> mailboxDenial(Operation operation, String mailbox) {
    return noted(mailboxDenials(operation, mailbox).findFirst());
  }

  /** Whether {@link #mailboxDenial} would be empty; a refusal is not counted. */
  public boolean mayUseMailbox(Operation operation, String mailbox) {
    return mailboxDenials(operation, mailbox).findAny().isEmpty();
  }

  private Stream<Denial> mailboxDenials(Operation operation, String mailbox) {
    return denials(new Access(operation, null, mailbox, address, watch.now()));
  }

  /** As {@link #denial}, for whatever topic: a reason that holds for all of them. */
  public Optional<Denial> denialAnywhere(Operation operation) {
    return noted(denials(operation, null).filter(denial -> denial != Denial.TOPIC).findFirst());
  }

  /**
   * As {@link #denial}, to settle a delivery. A capability that is over still settles the leases
   * that were taken with it, or with anything else of its id, and extends none of them; all its
   * other caveats hold.
   *
   * @param holder whose lease it is; null when it is nobody's
   */
  public Optional<Denial> settlingDenial(
      Operation operation, TopicName topic, @Nullable CapabilityId holder) {
    return noted(settlingDenials(operation, topic, holder).findFirst());
  }

  /** Whether {@link #settlingDenial} would be empty; a refusal is not counted. */
  public boolean maySettle(Operation operation, TopicName topic, @Nullable CapabilityId holder) {
    return settlingDenials(operation, topic, holder).findAny().isEmpty();
  }

  private Stream<Denial> settlingDenials(
      Operation operation, TopicName topic, @Nullable CapabilityId holder) {
    boolean isHolder = capability.id().equals(holder);
    return denials(operation, topic)
        .filter(denial -> !(isHolder && denial.sparesHolder(operation)));
  }

  /**
   * Lets only those pass who may.
   *
   * @throws DeniedException when the caller may not
   */
  public void require(Operation operation, @Nullable TopicName topic) {
    denial(operation, topic)
        .ifPresent(
            denial -> {
              throw DeniedException.of(denial);
            });
  }

  /**
   * As {@link #require}, where either of two rights will do.
   *
   * @throws DeniedException when the caller may do neither, saying why not {@code narrow}
   */
  public void requireEither(Operation narrow, Operation wide, @Nullable TopicName topic) {
    if (denials(wide, topic).findAny().isPresent()) {
      require(narrow, topic);
    }
  }

  /**
   * As {@link #require}, for whatever topic.
   *
   * @throws DeniedException when the caller may not, whatever the topic
   */
  public void requireAnywhere(Operation operation) {
    denialAnywhere(operation)
        .ifPresent(
            denial -> {
              throw DeniedException.of(denial);
            });
  }

  private Stream<Denial> denials(Operation operation, @Nullable TopicName topic) {
    return denials(new Access(operation, topic, address, watch.now()));
  }

  private Stream<Denial> denials(Access access) {
    return Stream.concat(standing().stream(), capability.denials(access));
  }

  private Optional<Denial> standing() {
    if (standing == Standing.REVOKED || watch.isRevoked(capability.id())) {
      return Optional.of(Denial.REVOKED);
    }
    return standing == Standing.GOOD ? Optional.empty() : Optional.of(Denial.UNVERIFIED);
  }

  private Optional<Denial> noted(Optional<Denial> denial) {
    if (denial.isPresent()) {
      watch.denied();
    }
    return denial;
  }

  /** Who, not what makes them so. */
  @Override
  public String toString() {
    return "Caller[" + capability.id() + "]";
  }
}
