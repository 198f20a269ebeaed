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

/** Where people come and go. */
@Singleton
public final class Reception {
  private static final Logger LOG = System.getLogger(Reception.class.getName());

  private final ConsoleService console;
  private final Sessions sessions;
  private final ClientAddress addresses;

  /** With what the container gives. */
  @Inject
  public Reception(ConsoleService console, MailboxSettings settings) {
    MailboxSettings.Console terms = settings.console();
    this.console = console;
    this.sessions =
        new Sessions(
            new Sessions.Terms(terms.maxSessions(), terms.idle(), terms.longest()),
            new SecureRandom(),
            System::nanoTime);
    this.addresses = new ClientAddress(settings.intake().proxies());
  }

  /** What a request says of who makes it. */
  public Visit visit(HttpServletRequest http) {
    return new Visit(http, addresses);
  }

  /** Who makes a request, if they are signed in. */
  public Optional<ConsoleUser> user(HttpServletRequest http) {
    return visit(http).token(sessions).flatMap(sessions::of);
  }

  /** The same, and it counts as use of the session. */
  Optional<ConsoleUser> use(HttpServletRequest http) {
    return visit(http).token(sessions).flatMap(sessions::use);
  }

  /**
   * Signs somebody in; the session that the browser had before is over.
   *
   * @param how in a word, for the audit
   */
  public void signIn(
      ConsoleUser user, String how, HttpServletRequest http, HttpServletResponse response) {
    Visit visit = visit(http);
    console.signedIn(user, visit.address(), how);
    visit.token(sessions).ifPresent(sessions::end);
    visit.remember(sessions.begin(user), response);
    LOG.log(Level.INFO, "{0} has signed in to the console as {1}", user.name(), user.role().text());
  }

  /** Signs out whoever is signed in. */
  void signOut(HttpServletRequest http, HttpServletResponse response) {
    Visit visit = visit(http);
    visit.forget(response);
    Optional<ConsoleUser> gone = visit.token(sessions).flatMap(sessions::end);
    gone.ifPresent(user -> console.signedOut(user, visit.address()));
  }
}
