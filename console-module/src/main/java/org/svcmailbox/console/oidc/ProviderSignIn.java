package org.svcmailbox.console.oidc;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.console.page.PageAnswers;
import org.svcmailbox.console.page.Target;
import org.svcmailbox.console.session.Reception;
import org.svcmailbox.console.session.Visit;
import org.svcmailbox.core.capability.ConsoleRole;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.settings.MailboxSettings.Oidc;

/** Signs people in with the provider. */
public final class ProviderSignIn {
  /** Where the provider sends browsers back to. */
  static final String CALLBACK = "/console/signin/callback";

  private static final Logger LOG = System.getLogger(ProviderSignIn.class.getName());
  private static final String COOKIE = "mailbox_signin";
  private static final String PATH = "/console/signin";

  /** Requests that ask the provider at once; more threads do not wait for it if it is slow. */
  private static final int MOST_ASKING = 4;

  /** How long somebody may take at the provider's. */
  private static final int JOURNEY_SECONDS = 600;

  private final Provider provider;
  private final Oidc settings;
  private final Optional<URI> url;
  private final Reception reception;
  private final SecureRandom random;
  private final Semaphore asking = new Semaphore(MOST_ASKING);

  /**
   * @param url how browsers reach us, where that is configured
   */
  ProviderSignIn(
      Provider provider,
      Oidc settings,
      Optional<URI> url,
      Reception reception,
      SecureRandom random) {
    this.provider = provider;
    this.settings = settings;
    this.url = url;
    this.reception = reception;
    this.random = random;
  }

  /** Sends a browser to the provider. */
  public void begin(HttpServletRequest request, HttpServletResponse response, Target target)
      throws IOException {
    Visit visit = reception.visit(request);
    Journey journey = Journey.begin(random, target);
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("response_type", "code");
    parameters.put("client_id", settings.clientId());
    parameters.put("redirect_uri", redirect(visit).toString());
    parameters.put("scope", settings.scope());
    parameters.put("state", journey.state());
    parameters.put("nonce", journey.nonce());
    parameters.put("code_challenge", journey.challenge());
    parameters.put("code_challenge_method", "S256");
    ask(
        response,
        () -> {
          URI there = provider.authorization(parameters);
          carry(visit, response, journey.cookie() + "; Max-Age=" + JOURNEY_SECONDS);
          PageAnswers.goOn(response, there.toString());
        });
  }

  /** What cannot be done without the provider. */
  private interface Asking {
    void run() throws ProviderException, IOException;
  }

  private void ask(HttpServletResponse response, Asking asked) throws IOException {
    if (!asking.tryAcquire()) {
      response.setHeader("Retry-After", "5");
      PageAnswers.show(
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          FaultPage.of("Too many concurrent sign-ins. Try again in a few seconds."));
      return;
    }
    try {
      asked.run();
    } catch (ProviderException e) {
      fail(response, e);
    } catch (MailboxException e) {
      LOG.log(Level.ERROR, "Nobody can be signed in to the console", e);
      PageAnswers.show(
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          FaultPage.of("The service is unavailable. See the server log."));
    } finally {
      asking.release();
    }
  }

  /** Signs in whoever the provider has sent back. */
  void end(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Visit visit = reception.visit(request);
    Optional<Journey> journey =
        visit
            .cookie(COOKIE)
            .flatMap(Journey::of)
            .filter(begun -> begun.isState(given(request, "state")));
    carry(visit, response, "; Max-Age=0");
    if (journey.isEmpty()) {
      refuse(response, "This sign-in has expired or was started in another browser.");
    } else if (!given(request, "error").isEmpty()) {
      refuse(response, "The identity provider rejected the sign-in.");
    } else {
      ask(response, () -> end(journey.get(), visit, request, response));
    }
  }

  private void end(
      Journey journey, Visit visit, HttpServletRequest request, HttpServletResponse response)
      throws ProviderException, IOException {
    String issuer = given(request, "iss");
    if (!issuer.isEmpty() && !issuer.equals(provider.issuer())) {
      throw new ProviderException("the code is of another issuer");
    }
    IdToken token =
        provider.redeem(
            given(request, "code"), redirect(visit), journey.verifier(), journey.nonce());
    String name = token.user(settings.userClaim());
    Optional<ConsoleRole> role = ConsoleRole.widest(roles(token));
    if (role.isEmpty() || !ConsoleUser.isName(name)) {
      refuse(response, "Your account has neither the viewer nor the operator role.");
    } else {
      reception.signIn(new ConsoleUser(name, role.get()), "oidc", request, response);
      PageAnswers.goOn(response, journey.target().location());
    }
  }

  /** What the provider says, in our words. */
  private Set<String> roles(IdToken token) {
    Set<String> said = token.roles(settings.roleClaim());
    Set<String> roles = new HashSet<>();
    if (said.contains(settings.viewer())) {
      roles.add(ConsoleRole.VIEWER.text());
    }
    if (said.contains(settings.operator())) {
      roles.add(ConsoleRole.OPERATOR.text());
    }
    return roles;
  }

  private URI redirect(Visit visit) {
    String base = url.map(URI::toString).orElseGet(visit::origin);
    return URI.create(
        (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + CALLBACK);
  }

  /** Lax: it has to come along when the provider's page leads back here. */
  private static void carry(Visit visit, HttpServletResponse response, String value) {
    visit.set(response, COOKIE, value, "Lax", PATH);
  }

  private static String given(HttpServletRequest request, String name) {
    @Nullable String value = request.getParameter(name);
    return value == null ? "" : value;
  }

  private static void fail(HttpServletResponse response, ProviderException failure)
      throws IOException {
    LOG.log(Level.WARNING, "Nobody can be signed in to the console", failure);
    PageAnswers.show(
        response,
        HttpServletResponse.SC_BAD_GATEWAY,
        FaultPage.of("The OpenID Connect provider cannot be used. See the server log."));
  }

  private static void refuse(HttpServletResponse response, String why) throws IOException {
    PageAnswers.show(response, HttpServletResponse.SC_FORBIDDEN, FaultPage.of(why));
  }
}
