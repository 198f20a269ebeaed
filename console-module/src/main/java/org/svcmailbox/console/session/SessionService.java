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
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.ClientAddress;
import org.svcmailbox.core.capability.ConsoleService;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.settings.MailboxSettings;

/** Signs users in and out, and identifies the user of a request. */
@Singleton
public final class SessionService {
  private static final Logger LOG = System.getLogger(SessionService.class.getName());

  private final ConsoleService console;
  private final Sessions sessions;
  private final ClientAddress addresses;
  private final Duration renewAhead;
  private final InstantSource wall = InstantSource.system();

  /** Called by the container. */
  @Inject
  public SessionService(ConsoleService console, MailboxSettings settings) {
    MailboxSettings.Console limits = settings.console();
    this.console = console;
    this.sessions =
        new Sessions(
            new Sessions.Limits(limits.maxSessions(), limits.idle(), limits.longest()),
            new SecureRandom(),
            System::nanoTime);
    this.renewAhead = limits.capabilityLife().dividedBy(2);
    this.addresses = new ClientAddress(settings.intake().proxies());
  }

  /** Wraps a request. */
  public ConsoleRequest request(HttpServletRequest http) {
    return new ConsoleRequest(http, addresses);
  }

  /** The user whose session the request belongs to; does not count as activity. */
  public Optional<ConsoleUser> user(HttpServletRequest http) {
    return request(http).token(sessions).flatMap(sessions::user);
  }

  /** The same, and counts as activity of the session. */
  Optional<ConsoleUser> touch(HttpServletRequest http) {
    return request(http).token(sessions).flatMap(sessions::touch);
  }

  /**
   * The session's capability, which it gets again until half of its life is over; empty when the
   * session ended meanwhile.
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
    if (sessions.hold(token, minted, wall.instant())) {
      return Optional.of(minted);
    }
    console.end(user, address, List.of(minted.id()));
    return Optional.empty();
  }

  /**
   * Begins a session and ends the browser's previous one.
   *
   * @param method of authentication, for the audit log
   */
  public void signIn(
      ConsoleUser user, String method, HttpServletRequest http, HttpServletResponse response) {
    ConsoleRequest request = request(http);
    console.signedIn(user, request.address(), method);
    request.token(sessions).flatMap(sessions::end).ifPresent(ended -> end(ended, request));
    request.setToken(sessions.begin(user), response);
    LOG.log(Level.INFO, "{0} signed in to the console as {1}", user.name(), user.role().text());
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
