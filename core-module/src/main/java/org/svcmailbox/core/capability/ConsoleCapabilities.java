package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.capability.store.Minting;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.SaturatedException;

/** Mints capabilities for console users, limited to their role and unable to mint. Any thread. */
public final class ConsoleCapabilities implements ConsoleService, MetricSource {
  /** The bound of all users' unexpired capabilities, including ended ones. */
  static final String BOUND = "console_mintings";

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

  interface Issue {
    Minted issue(Issuer by, List<String> caveats, Duration life, @Nullable String note);
  }

  /** The operations on capabilities that the console's users need. */
  record Rights(Supplier<CapabilityId> ids, Tokens tokens, Mint mint, End end, Issue issue) {}

  private final Rights rights;
  private final CapabilityStore store;
  private final DenialCounts failures;
  private final InstantSource wall;
  private final ConsoleTerms terms;
  private volatile long used;

  ConsoleCapabilities(
      Rights rights,
      CapabilityStore store,
      DenialCounts failures,
      InstantSource wall,
      ConsoleTerms terms) {
    this.rights = rights;
    this.store = store;
    this.failures = failures;
    this.wall = wall;
    this.terms = terms;
  }

  @Override
  public Minted mint(ConsoleUser user, @Nullable InetAddress address) {
    return mint(user, address, "console.capability", List.of(user.role().caveat()), terms.life());
  }

  @Override
  public Minted elevate(ConsoleUser user, @Nullable InetAddress address, Elevation what) {
    return mint(user, address, "console.elevate", what.caveats(), ELEVATED);
  }

  @Override
  public Minted mint(ConsoleUser user, @Nullable InetAddress address, CapabilityOrder order) {
    Issuer by =
        new Issuer(
            user.actor(),
            List.of(),
            (now, subject, text) -> entry(now, user, address, Issuer.ACTION, subject, text));
    return rights.issue().issue(by, order.caveats(), order.life(), order.note());
  }

  private Minted mint(
      ConsoleUser user,
      @Nullable InetAddress address,
      String action,
      List<String> limits,
      Duration life) {
    Instant now = wall.instant();
    requireRoom(user, now);
    Instant expires = now.plus(life).truncatedTo(ChronoUnit.MILLIS);
    List<String> caveats = new ArrayList<>(limits);
    caveats.add("expires < " + expires);
    CapabilityId id = rights.ids().get();
    String token = rights.tokens().token(id, caveats);
    rights
        .mint()
        .mint(
            new Minting(id, caveats, user.actor(), now, expires, null),
            entry(now, user, address, action, id.nonce(), String.join("; ", caveats)));
    return new Minted(token, id, expires);
  }

  private void requireRoom(ConsoleUser user, Instant now) {
    used = store.sessionMintings(now);
    long most = terms.mostMintings();
    long had = store.sessionMintingsBy(user.actor().id(), now);
    if (!terms.share().allows(most, used + 1, had, 1)) {
      throw full(
          used >= most
              ? "too many capabilities of the console's users have not expired"
              : "this user has a share of the console's capabilities, and others need the rest");
    }
  }

  private static SaturatedException full(String detail) {
    return new SaturatedException(BOUND, detail, LATER);
  }

  /** The number of mintings is as of the last one. */
  @Override
  public List<Metric> metrics() {
    return List.of(
        Family.BOUND_USED.of(() -> used, BOUND),
        Family.BOUND_CAPACITY.of(terms::mostMintings, BOUND));
  }

  @Override
  public void confirmed(ConsoleUser user, @Nullable InetAddress address, String how) {
    note(wall.instant(), user, address, "console.confirm", user.name(), how);
  }

  @Override
  public void signedIn(ConsoleUser user, @Nullable InetAddress address, String how) {
    String note = how + ", " + user.role().text();
    note(wall.instant(), user, address, "console.signin", user.name(), note);
  }

  @Override
  public void signInFailed(String user, @Nullable InetAddress address, String why) {
    failures.count(Actor.ofConsole(user), address, DenialCounts.SIGN_IN_FAILED, why);
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
