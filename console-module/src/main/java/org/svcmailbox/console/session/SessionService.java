package org.svcmailbox.console.session;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.CapabilityOrder;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.ClientAddress;
import org.svcmailbox.core.capability.ConsoleService;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.capability.Elevation;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.settings.MailboxSettings;

/** Signs users in and out, and identifies the user of a request. */
@Singleton
public final class SessionService {
  private static final Logger LOG = System.getLogger(SessionService.class.getName());

  private final ConsoleService console;
  private final Sessions sessions;
  private final ClientAddress addresses;
  private final Duration renewAhead;
  private final boolean hasProvider;
  private final InstantSource wall = InstantSource.system();

  @Inject
  public SessionService(ConsoleService console, MailboxSettings settings) {
    MailboxSettings.Console limits = settings.console();
    this.console = console;
    this.sessions =
        new Sessions(
            new Sessions.Limits(
                limits.maxSessions(), limits.idle(), limits.longest(), limits.confirmedFor()),
            new SecureRandom(),
            System::nanoTime);
    this.renewAhead = limits.capabilityLife().dividedBy(2);
    this.hasProvider = limits.oidc().isPresent();
    this.addresses = new ClientAddress(settings.intake().proxies());
  }

  /** Whether users sign in with a provider, and not with a password. */
  public boolean hasProvider() {
    return hasProvider;
  }

  /** Wraps a request. */
  public ConsoleRequest request(HttpServletRequest http) {
    return new ConsoleRequest(http, addresses);
  }

  /** The user whose session the request belongs to. Does not count as activity. */
  public Optional<ConsoleUser> user(HttpServletRequest http) {
    return request(http).token(sessions).flatMap(sessions::user);
  }

  /**
   * The user who calls a protected endpoint. The container's principal may outlive the session, so
   * both must be valid.
   *
   * @param isActive whether the call counts as activity of the session
   */
  public Optional<ConsoleUser> caller(HttpServletRequest http, boolean isActive) {
    Optional<String> token =
        http.getUserPrincipal() == null ? Optional.empty() : request(http).token(sessions);
    return token
        .flatMap(isActive ? sessions::touch : sessions::user)
        .filter(user -> http.isUserInRole(user.role().text()));
  }

  /**
   * The session's capability. It stays the same until half of its life is over; empty if the
   * session has ended meanwhile.
   */
  Optional<Minted> capability(ConsoleUser user, HttpServletRequest http) {
    ConsoleRequest request = request(http);
    Optional<String> token = request.token(sessions);
    Instant then = wall.instant().plus(renewAhead);
    Optional<Minted> living = token.flatMap(present -> sessions.capability(present, then));
    return living.isPresent()
        ? living
        : token.flatMap(present -> minted(user, present, request.address()));
  }

  private Optional<Minted> minted(ConsoleUser user, String token, @Nullable InetAddress address) {
    Minted minted = console.mint(user, address);
    return kept(sessions.own(token, minted, wall.instant()), user, minted, address);
  }

  private Optional<Minted> kept(
      boolean isHeld, ConsoleUser user, Minted minted, @Nullable InetAddress address) {
    if (isHeld) {
      return Optional.of(minted);
    }
    console.end(user, address, List.of(minted.id()));
    return Optional.empty();
  }

  /** How long the session of a request lasts if nothing happens; zero if it has ended. */
  Duration left(HttpServletRequest http) {
    return request(http).token(sessions).map(sessions::left).orElse(Duration.ZERO);
  }

  /** Whether the request's session may have an elevated capability; empty if it has ended. */
  Optional<StepUp.Verdict> stepUp(HttpServletRequest http) {
    return request(http).token(sessions).flatMap(sessions::stepUp);
  }

  /** An elevated capability, which ends with the session; empty if that has ended meanwhile. */
  Optional<Minted> elevate(ConsoleUser user, Elevation what, HttpServletRequest http) {
    ConsoleRequest request = request(http);
    Optional<String> token = request.token(sessions);
    return token.flatMap(
        present -> {
          Minted minted = console.elevate(user, request.address(), what);
          boolean isHeld = sessions.hold(present, minted, wall.instant());
          return kept(isHeld, user, minted, request.address());
        });
  }

  /** Mints a capability for another holder, which outlives the session. */
  Minted mint(ConsoleUser user, CapabilityOrder order, HttpServletRequest http) {
    return console.mint(user, request(http).address(), order);
  }

  /**
   * Records that the user has proven again to be the user.
   *
   * @return false if the session has ended
   */
  public boolean confirmed(ConsoleUser user, HttpServletRequest http) {
    ConsoleRequest request = request(http);
    console.confirmed(user, request.address(), "form");
    return request.token(sessions).filter(sessions::confirmed).isPresent();
  }

  /**
   * Begins a session of a provider's user and ends the browser's previous one.
   *
   * @param proven how long ago the user signed in at the provider; empty if it does not say
   */
  public void signIn(
      ConsoleUser user,
      Optional<Duration> proven,
      HttpServletRequest http,
      HttpServletResponse response) {
    noteSignIn(user, "oidc", http);
    request(http).setToken(sessions.begin(user, proven), response);
  }

  /** How often a user's password has changed. Ask before the password is checked. */
  public long passwordChanges(String user) {
    return sessions.passwordChanges(user);
  }

  /**
   * Begins a session of the server's user and ends the browser's previous one.
   *
   * @return false if the password has changed since {@code changes} was read
   */
  public boolean signIn(
      ConsoleUser user, long changes, HttpServletRequest http, HttpServletResponse response) {
    noteSignIn(user, "form", http);
    Optional<String> token = sessions.begin(user, changes);
    token.ifPresent(present -> request(http).setToken(present, response));
    return token.isPresent();
  }

  private void noteSignIn(ConsoleUser user, String method, HttpServletRequest http) {
    ConsoleRequest request = request(http);
    console.signedIn(user, request.address(), method);
    request.token(sessions).flatMap(sessions::end).ifPresent(ended -> end(ended, request));
    LOG.log(Level.INFO, "{0} signed in to the console as {1}", user.name(), user.role().text());
  }

  /** Records that the user's password is about to change. */
  public void notePasswordChange(ConsoleUser user, HttpServletRequest http) {
    console.passwordChanged(user, request(http).address());
  }

  /** Ends all sessions of a user whose password changed, and begins one for this browser. */
  public void passwordChanged(
      ConsoleUser user, HttpServletRequest http, HttpServletResponse response) {
    ConsoleRequest request = request(http);
    List<CapabilityId> held = sessions.passwordChanged(user.name());
    request.setToken(sessions.begin(user), response);
    LOG.log(Level.INFO, "{0} changed the password in the console", user.name());
    try {
      console.end(user, request.address(), held);
    } catch (MailboxException e) {
      // The password has changed, and the capabilities have already ended on this node.
      LOG.log(Level.WARNING, "Capabilities of ended sessions are not recorded as ended", e);
    }
  }

  /** Counts a failed sign-in for the audit; {@code why} is a constant word. */
  public void signInFailed(String user, HttpServletRequest http, String why) {
    console.signInFailed(user, request(http).address(), why);
  }

  /** Ends the browser's session, if any. */
  void signOut(HttpServletRequest http, HttpServletResponse response) {
    ConsoleRequest request = request(http);
    request.deleteToken(response);
    Optional<Sessions.Ended> ended = request.token(sessions).flatMap(sessions::end);
    ended.ifPresent(
        present -> {
          end(present, request);
          console.signedOut(present.user(), request.address());
        });
  }

  private void end(Sessions.Ended ended, ConsoleRequest request) {
    console.end(ended.user(), request.address(), ended.held());
  }
}
