package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Access;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.TopicName;

/** The holder of a genuine capability. Every operation asks it for permission. Any thread. */
public final class Caller {
  /** Observes capabilities after their holders were authenticated. */
  interface Watch {
    boolean isRevoked(CapabilityId id);

    void denied(Caller caller, Denial why);

    Instant now();
  }

  enum Standing {
    GOOD,
    REVOKED,
    UNVERIFIED
  }

  private final VerifiedCapability capability;
  private final Standing standing;
  private final @Nullable String name;
  private final @Nullable InetAddress address;
  private final BearerToken token;
  private final Watch watch;

  Caller(
      VerifiedCapability capability,
      BearerToken token,
      Standing standing,
      @Nullable String name,
      @Nullable InetAddress address,
      Watch watch) {
    this.capability = capability;
    this.token = token;
    this.standing = standing;
    this.name = name;
    this.address = address;
    this.watch = watch;
  }

  public VerifiedCapability capability() {
    return capability;
  }

  /** The capability's text, for another node. */
  public BearerToken token() {
    return token;
  }

  /** The client's address; null if unknown. */
  public @Nullable InetAddress address() {
    return address;
  }

  /** The capability in the audit. */
  Actor actor() {
    CapabilityId id = capability.id();
    return new Actor(id.keyId() + ":" + id.nonce(), name);
  }

  /** An audit entry for an action of this caller. */
  public AuditEntry audit(Instant now, String action, String subject, String note) {
    return new AuditEntry(
        now, actor(), address == null ? "" : address.getHostAddress(), action, subject, note);
  }

  /** Why the caller may not do {@code operation}; empty if it may. Counts a denial. */
  public Optional<Denial> denial(Operation operation, @Nullable TopicName topic) {
    return noted(denials(operation, topic).findFirst());
  }

  /** As {@link #denial}, for a message that takes a key. */
  public Optional<Denial> sendDenial(
      Operation operation, TopicName topic, @Nullable IdemKey idemKey) {
    String key = idemKey == null ? null : idemKey.value();
    return noted(denials(access(operation, topic.value(), null, key)).findFirst());
  }

  /** As {@link #denial}, for a rendezvous mailbox. A capability for a topic is denied. */
  public Optional<Denial> mailboxDenial(Operation operation, String mailbox) {
    return noted(mailboxDenials(operation, mailbox).findFirst());
  }

  /** Whether {@link #mailboxDenial} would be empty; counts nothing. */
  public boolean mayUseMailbox(Operation operation, String mailbox) {
    return mailboxDenials(operation, mailbox).findAny().isEmpty();
  }

  private Stream<Denial> mailboxDenials(Operation operation, String mailbox) {
    return denials(access(operation, null, mailbox, null));
  }

  /** As {@link #denial}, but only for reasons that apply to every topic and key. */
  public Optional<Denial> denialAnywhere(Operation operation) {
    return noted(
        denials(operation, null)
            .filter(denial -> denial != Denial.TOPIC && denial != Denial.IDEM_KEY)
            .findFirst());
  }

  /**
   * As {@link #denial}, to settle a delivery. An expired or revoked capability still settles its
   * own leases ({@code holder}), but cannot extend them. Its other caveats hold.
   */
  public Optional<Denial> settlingDenial(
      Operation operation, TopicName topic, @Nullable CapabilityId holder) {
    return noted(settlingDenials(operation, topic, holder).findFirst());
  }

  /** Whether {@link #settlingDenial} would be empty; counts nothing. */
  public boolean maySettle(Operation operation, TopicName topic, @Nullable CapabilityId holder) {
    return settlingDenials(operation, topic, holder).findAny().isEmpty();
  }

  private Stream<Denial> settlingDenials(
      Operation operation, TopicName topic, @Nullable CapabilityId holder) {
    boolean isHolder = capability.id().equals(holder);
    return denials(operation, topic)
        .filter(denial -> !(isHolder && denial.sparesHolder(operation)));
  }

  /** Throws {@link DeniedException} if {@link #denial} is not empty. */
  public void require(Operation operation, @Nullable TopicName topic) {
    denial(operation, topic)
        .ifPresent(
            denial -> {
              throw DeniedException.of(denial);
            });
  }

  /** Throws {@link DeniedException} if {@link #sendDenial} is not empty. */
  public void requireSend(Operation operation, TopicName topic, @Nullable IdemKey idemKey) {
    sendDenial(operation, topic, idemKey)
        .ifPresent(
            denial -> {
              throw DeniedException.of(denial);
            });
  }

  /** Throws {@link DeniedException} unless this is another node. */
  void requirePeer() {
    Optional<Denial> why = standing().or(() -> PeerCapability.denial(capability, watch.now()));
    noted(why)
        .ifPresent(
            denial -> {
              throw DeniedException.of(denial);
            });
  }

  /** Whether {@link #require} would not throw; counts nothing. */
  public boolean may(Operation operation, @Nullable TopicName topic) {
    return denials(operation, topic).findAny().isEmpty();
  }

  /** As {@link #require}, satisfied by either right; a denial names {@code narrow}. */
  public void requireEither(Operation narrow, Operation wide, @Nullable TopicName topic) {
    if (!may(wide, topic)) {
      require(narrow, topic);
    }
  }

  /** Throws {@link DeniedException} if {@link #denialAnywhere} is not empty. */
  public void requireAnywhere(Operation operation) {
    denialAnywhere(operation)
        .ifPresent(
            denial -> {
              throw DeniedException.of(denial);
            });
  }

  private Stream<Denial> denials(Operation operation, @Nullable TopicName topic) {
    return denials(access(operation, topic == null ? null : topic.value(), null, null));
  }

  private Access access(
      Operation operation,
      @Nullable String topic,
      @Nullable String mailbox,
      @Nullable String idemKey) {
    return new Access(operation, topic, mailbox, idemKey, address, watch.now());
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
    denial.ifPresent(why -> watch.denied(this, why));
    return denial;
  }

  /** Names the capability, never its token. */
  @Override
  public String toString() {
    return "Caller[" + capability.id() + "]";
  }
}
