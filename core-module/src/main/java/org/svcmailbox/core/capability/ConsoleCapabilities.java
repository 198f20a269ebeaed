package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.capability.store.Minting;
import org.svcmailbox.core.problem.SaturatedException;

/** Mints capabilities for console users, limited to their role and unable to mint. Any thread. */
final class ConsoleCapabilities implements ConsoleService {
  /**
   * The most unexpired capabilities of one user, including ended ones. A session needs two at a
   * time.
   */
  static final int MOST_OF_USER = 100;

  private static final Duration LATER = Duration.ofMinutes(1);

  interface Tokens {
    String token(CapabilityId id, List<String> caveats);
  }

  interface Mint {
    void mint(Minting minting, AuditEntry entry);
  }

  interface End {
    void end(List<CapabilityId> held, Function<CapabilityId, AuditEntry> entry);
  }

  /** The operations on capabilities that the console's users need. */
  record Rights(Supplier<CapabilityId> ids, Tokens tokens, Mint mint, End end) {}

  private final Rights rights;
  private final CapabilityStore store;
  private final DenialCounts failures;
  private final InstantSource wall;
  private final Duration life;

  ConsoleCapabilities(
      Rights rights,
      CapabilityStore store,
      DenialCounts failures,
      InstantSource wall,
      Duration life) {
    this.rights = rights;
    this.store = store;
    this.failures = failures;
    this.wall = wall;
    this.life = life;
  }

  @Override
  public Minted mint(ConsoleUser user, @Nullable InetAddress address) {
    Instant now = wall.instant();
    if (store.mintingsBy(user.actor(), now) >= MOST_OF_USER) {
      throw new SaturatedException(
          "console_minted", "too many capabilities of this user have not expired", LATER);
    }
    Instant expires = now.plus(life).truncatedTo(ChronoUnit.MILLIS);
    List<String> caveats = List.of(user.role().caveat(), "expires < " + expires);
    CapabilityId id = rights.ids().get();
    String token = rights.tokens().token(id, caveats);
    rights
        .mint()
        .mint(
            new Minting(id, caveats, user.actor(), now, expires),
            entry(
                now, user, address, "console.capability", id.nonce(), String.join("; ", caveats)));
    return new Minted(token, id, expires);
  }

  @Override
  public void signedIn(ConsoleUser user, @Nullable InetAddress address, String how) {
    String note = how + ", " + user.role().text();
    note(wall.instant(), user, address, "console.signin", user.name(), note);
  }

  @Override
  public void signInFailed(String user, @Nullable InetAddress address, String why) {
    failures.count(ConsoleUser.actor(user), address, "console.signin_failed", why);
  }

  @Override
  public void signedOut(ConsoleUser user, @Nullable InetAddress address) {
    note(wall.instant(), user, address, "console.signout", user.name(), "");
  }

  @Override
  public void passwordChanged(ConsoleUser user, @Nullable InetAddress address) {
    note(wall.instant(), user, address, "console.password", user.name(), "");
  }

  @Override
  public void end(ConsoleUser user, @Nullable InetAddress address, List<CapabilityId> held) {
    Instant now = wall.instant();
    rights
        .end()
        .end(held, id -> entry(now, user, address, "console.capability_end", id.nonce(), ""));
  }

  private void note(
      Instant now,
      ConsoleUser user,
      @Nullable InetAddress address,
      String action,
      String subject,
      String note) {
    store.note(entry(now, user, address, action, subject, note));
  }

  private static AuditEntry entry(
      Instant now,
      ConsoleUser user,
      @Nullable InetAddress address,
      String action,
      String subject,
      String note) {
    String from = address == null ? "" : address.getHostAddress();
    return new AuditEntry(now, user.actor(), from, action, subject, note);
  }
}
