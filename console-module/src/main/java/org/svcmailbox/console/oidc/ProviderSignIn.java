package org.svcmailbox.console.oidc;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.console.page.HtmlResponses;
import org.svcmailbox.console.page.Target;
import org.svcmailbox.console.session.ConsoleRequest;
import org.svcmailbox.console.session.SessionService;
import org.svcmailbox.core.capability.ConsoleRole;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.settings.MailboxSettings.Oidc;

/** The authorization code flow with PKCE. */
public final class ProviderSignIn {
  static final String CALLBACK = "/console/signin/callback";

  private static final Logger LOG = System.getLogger(ProviderSignIn.class.getName());
  private static final String COOKIE = "mailbox_signin";
  private static final String PATH = "/console/signin";

  /** Concurrent calls of the provider, which may be slow. */
  private static final int MAX_CALLS = 4;

  /** Time that users have to sign in at the provider. */
  private static final int STATE_SECONDS = 600;

  private final Provider provider;
  private final Oidc settings;
  private final Optional<URI> url;
  private final SessionService sessions;
  private final SecureRandom random;
  private final Semaphore calls = new Semaphore(MAX_CALLS);

  /**
   * @param url the console's public URL, if configured
   */
  ProviderSignIn(
      Provider provider,
      Oidc settings,
      Optional<URI> url,
      SessionService sessions,
      SecureRandom random) {
    this.provider = provider;
    this.settings = settings;
    this.url = url;
    this.sessions = sessions;
    this.random = random;
  }

  /**
   * Redirects the browser to the provider.
   *
   * @param isConfirmation whether the user must sign in there now, although signed in already
   */
  public void begin(
      HttpServletRequest request,
      HttpServletResponse response,
      Target target,
      boolean isConfirmation)
      throws IOException {
    ConsoleRequest console = sessions.request(request);
    OidcState state = OidcState.create(random, target, isConfirmation);
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("response_type", "code");
    parameters.put("client_id", settings.clientId());
    parameters.put("redirect_uri", redirectUri(console).toString());
    parameters.put("scope", settings.scope());
    parameters.put("state", state.state());
    parameters.put("nonce", state.nonce());
    parameters.put("code_challenge", state.challenge());
    parameters.put("code_challenge_method", "S256");
    if (isConfirmation) {
      parameters.put("max_age", "0");
    }
    call(
        request,
        response,
        () -> {
          URI authorization = provider.authorization(parameters);
          setState(console, response, state.cookie() + "; Max-Age=" + STATE_SECONDS);
          HtmlResponses.redirect(response, authorization.toString());
        });
  }

  private interface ProviderCall {
    void run() throws ProviderException, IOException;
  }

  private void call(HttpServletRequest request, HttpServletResponse response, ProviderCall call)
      throws IOException {
    if (!calls.tryAcquire()) {
      response.setHeader("Retry-After", "5");
      HtmlResponses.write(
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          SignInErrorPage.of("Too many concurrent sign-ins. Try again in a few seconds."));
      return;
    }
    try {
      call.run();
    } catch (ProviderException e) {
      sessions.signInFailed("", request, "provider");
      fail(response, e);
    } catch (MailboxException e) {
      LOG.log(Level.ERROR, "Console sign-in failed", e);
      HtmlResponses.write(
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          SignInErrorPage.of("The service is unavailable. See the server log."));
    } finally {
      calls.release();
    }
  }

  /** Handles the provider's redirect back. */
  void complete(HttpServletRequest request, HttpServletResponse response) throws IOException {
    ConsoleRequest console = sessions.request(request);
    Optional<OidcState> state =
        console
            .cookie(COOKIE)
            .flatMap(OidcState::of)
            .filter(started -> started.isState(parameter(request, "state")));
    setState(console, response, "; Max-Age=0");
    if (state.isEmpty()) {
      sessions.signInFailed("", request, "state");
      refuse(response, "This sign-in has expired or was started in another browser.");
    } else if (!parameter(request, "error").isEmpty()) {
      refuse(response, "The identity provider rejected the sign-in.");
    } else {
      call(request, response, () -> complete(state.get(), console, request, response));
    }
  }

  private void complete(
      OidcState state,
      ConsoleRequest console,
      HttpServletRequest request,
      HttpServletResponse response)
      throws ProviderException, IOException {
    String issuer = parameter(request, "iss");
    if (!issuer.isEmpty() && !issuer.equals(provider.issuer())) {
      throw new ProviderException("the code was issued by another provider");
    }
    IdToken token =
        provider.redeem(
            parameter(request, "code"), redirectUri(console), state.verifier(), state.nonce());
    String name = token.user(settings.userClaim());
    Optional<ConsoleRole> role = ConsoleRole.widest(roles(token));
    Optional<Duration> ago = token.signedInAgo(Instant.now());
    if (role.isEmpty() || !ConsoleUser.isName(name)) {
      sessions.signInFailed(ConsoleUser.isName(name) ? name : "", request, "no_role");
      refuse(response, "Your account has no role of the console.");
    } else if (state.isConfirmation() && ago.filter(ProviderSignIn::isRecent).isEmpty()) {
      sessions.signInFailed(name, request, "auth_time");
      refuse(
          response,
          "The identity provider did not ask you to sign in again, so nothing is confirmed.");
    } else {
      sessions.signIn(new ConsoleUser(name, role.get()), ago, request, response);
      HtmlResponses.redirect(response, state.target().location());
    }
  }

  /** Whether a sign-in at the provider, {@code ago}, belongs to this visit there. */
  private static boolean isRecent(Duration ago) {
    return ago.toSeconds() <= STATE_SECONDS;
  }

  /** Maps the provider's roles to ours. */
  private Set<String> roles(IdToken token) {
    Set<String> claimed = token.roles(settings.roleClaim());
    Set<String> roles = new HashSet<>();
    if (claimed.contains(settings.viewer())) {
      roles.add(ConsoleRole.VIEWER.text());
    }
    if (claimed.contains(settings.operator())) {
      roles.add(ConsoleRole.OPERATOR.text());
    }
    if (claimed.contains(settings.administrator())) {
      roles.add(ConsoleRole.ADMINISTRATOR.text());
    }
    return roles;
  }

  private URI redirectUri(ConsoleRequest console) {
    String base = url.map(URI::toString).orElseGet(console::origin);
    return URI.create(
        (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + CALLBACK);
  }

  /** The cookie is Lax: a strict one is not sent after the provider's redirect. */
  private static void setState(ConsoleRequest console, HttpServletResponse response, String value) {
    console.setCookie(response, COOKIE, value, "Lax", PATH);
  }

  private static String parameter(HttpServletRequest request, String name) {
    @Nullable String value = request.getParameter(name);
    return value == null ? "" : value;
  }

  private static void fail(HttpServletResponse response, ProviderException failure)
      throws IOException {
    // One line without a stack trace: anyone can return from a provider with something that it
    // never said.
    LOG.log(
        Level.WARNING,
        "Console sign-in failed: {0} ({1})",
        failure.getMessage(),
        String.valueOf(failure.getCause()));
    HtmlResponses.write(
        response,
        HttpServletResponse.SC_BAD_GATEWAY,
        SignInErrorPage.of("The OpenID Connect provider cannot be used. See the server log."));
  }

  private static void refuse(HttpServletResponse response, String reason) throws IOException {
    HtmlResponses.write(response, HttpServletResponse.SC_FORBIDDEN, SignInErrorPage.of(reason));
  }
}
