package org.svcmailbox.core.rendezvous.door;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.BodyOwners;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.rendezvous.Access;
import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.core.rendezvous.DoorPorts;
import org.svcmailbox.core.rendezvous.DoorSettings;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.core.rendezvous.RendezvousService;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.settings.MailboxSettings;

/**
 * The rendezvous service of one node. While it is off, {@link #settings} is empty, {@link #step}
 * and shutdown do nothing, and all other methods throw {@code NotFoundException}. Any thread.
 */
public final class RendezvousDoor implements RendezvousService, RendezvousAdmin {
  public static final Duration TICK = Duration.ofMillis(50);

  public static final Duration PURGE_INTERVAL = Duration.ofMinutes(1);

  private final Optional<OpenDoor> door;

  /**
   * Reads tokens and rules, unless the service is off.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException when the database is away
   */
  public RendezvousDoor(MailboxSettings settings, DoorPorts ports) {
    this.door =
        settings.rendezvous().enabled()
            ? Optional.of(new OpenDoor(settings, ports))
            : Optional.empty();
  }

  /**
   * The token for every mailbox that the first start creates when tokens are required. The caller
   * writes it to a file that only its owner can read. Empty at later starts.
   */
  public Optional<String> firstToken() {
    return door.flatMap(OpenDoor::firstToken);
  }

  /**
   * Ends waits, evicts messages and forgets expired tokens. One thread calls this every {@link
   * #TICK}; never blocks.
   */
  public void step() {
    door.ifPresent(OpenDoor::step);
  }

  /**
   * Deletes expired tokens from the database. It blocks, so do not call it on the stepping thread;
   * failures are logged.
   */
  public void purge() {
    door.ifPresent(OpenDoor::purge);
  }

  /** Refuses POSTs and waiting GETs with {@code CLOSING}; GETs that do not wait continue. */
  public void drain() {
    door.ifPresent(OpenDoor::drain);
  }

  public int remaining() {
    return door.map(open -> open.mailboxes().size()).orElse(0);
  }

  /** Closes: counts and logs the messages that are lost. Idempotent. */
  public void close() {
    door.ifPresent(OpenDoor::close);
  }

  @Override
  public Optional<DoorSettings> settings() {
    return door.map(OpenDoor::settings);
  }

  @Override
  public AccessAnswer admit(AccessRequest request) {
    return open().admit(request);
  }

  @Override
  public BodyOwners bodyOwners(RecipientId recipient) {
    return open().bodyOwners(recipient);
  }

  @Override
  public PostOutcome post(Access access, RecipientId recipient, byte[] body) {
    return open().mailboxes().post(access, recipient, body);
  }

  @Override
  public Runnable get(
      Access access, RecipientId recipient, Duration wait, Consumer<GetOutcome> receiver) {
    return open().mailboxes().get(access, recipient, wait, receiver);
  }

  @Override
  public Duration retryAfter() {
    return open().retryAfter();
  }

  @Override
  public void connections(int open) {
    open().health().connections(open);
  }

  @Override
  public Health health() {
    return open().check();
  }

  @Override
  public void answered(Right right, int status, Duration took) {
    open().metrics().answered(right, status, took);
  }

  @Override
  public String metrics() {
    return open().metricsText();
  }

  @Override
  public Page tokens(Caller operator, String after, int limit) {
    return open().admin().tokens(operator, after, limit);
  }

  @Override
  public Issued add(
      Caller operator,
      @Nullable RecipientId mailbox,
      Set<Right> rights,
      @Nullable Duration life,
      String note) {
    return open().admin().add(operator, mailbox, rights, life, note);
  }

  @Override
  public void remove(Caller operator, String id) {
    open().admin().remove(operator, id);
  }

  @Override
  public Issued rotate(Caller operator, String id, Duration overlap) {
    return open().admin().rotate(operator, id, overlap);
  }

  @Override
  public AccessRules access(Caller operator) {
    return open().admin().access(operator);
  }

  @Override
  public void setAccess(Caller operator, AccessRules rules) {
    open().admin().setAccess(operator, rules);
  }

  private OpenDoor open() {
    return door.orElseThrow(() -> new NotFoundException("the rendezvous door is off"));
  }
}
