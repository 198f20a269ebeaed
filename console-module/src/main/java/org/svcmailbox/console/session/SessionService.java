package org.svcmailbox.console.session;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.Optional;
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
   * Begins a session and ends the browser's previous one.
   *
   * @param method of authentication, for the audit log
   */
  public void signIn(
      ConsoleUser user, String method, HttpServletRequest http, HttpServletResponse response) {
    ConsoleRequest request = request(http);
    console.signedIn(user, request.address(), method);
    request.token(sessions).ifPresent(sessions::end);
    request.setToken(sessions.begin(user), response);
    LOG.log(Level.INFO, "{0} signed in to the console as {1}", user.name(), user.role().text());
  }

  /** Ends the browser's session, if any. */
  void signOut(HttpServletRequest http, HttpServletResponse response) {
    ConsoleRequest request = request(http);
    request.deleteToken(response);
    Optional<ConsoleUser> user = request.token(sessions).flatMap(sessions::end);
    user.ifPresent(ended -> console.signedOut(ended, request.address()));
  }
}
