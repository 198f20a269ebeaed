package org.svcmailbox.console.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.settings.MailboxSettings.Oidc;

/**
 * The provider as it describes itself. It is asked when it is first needed, so that the service
 * starts without it, and again now and then: its keys and addresses change. Any thread; one asks.
 */
final class Provider {
  /** After this what it says of itself is asked for again. */
  private static final Duration FRESH = Duration.ofMinutes(10);

  /** A key that is not known is not looked for more often than this. */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

  private static final String WELL_KNOWN = "/.well-known/openid-configuration";

  private final Oidc settings;
  private final InstantSource wall;
  private final LongSupplier nanos;
  private @Nullable Description known;

  /** What it says of itself, and when it said so. */
  private record Description(
      URI authorization, URI token, boolean isBasic, ProviderKeys keys, long at) {}

  Provider(Oidc settings, InstantSource wall, LongSupplier nanos) {
    this.settings = settings;
    this.wall = wall;
    this.nanos = nanos;
  }

  /** Where browsers are sent, with these parameters. */
  URI authorization(Map<String, String> parameters) throws ProviderException {
    String endpoint = description(FRESH).authorization().toString();
    return URI.create(
        endpoint + (endpoint.contains("?") ? "&" : "?") + ProviderHttp.form(parameters));
  }

  /**
   * Whom a code is of.
   *
   * @param redirect where the browser was to bring it
   * @param verifier what the challenge was made of
   * @param nonce what the sign-in was begun with
   */
  IdToken redeem(String code, URI redirect, String verifier, String nonce)
      throws ProviderException {
    Description description = description(FRESH);
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", redirect.toString());
    form.put("code_verifier", verifier);
    if (!description.isBasic()) {
      form.put("client_id", settings.clientId());
      form.put("client_secret", settings.clientSecret());
    }
    String authorization = description.isBasic() ? basic() : null;
    JsonNode answer = ProviderHttp.post(description.token(), form, authorization);
    IdToken.Unverified token = IdToken.Unverified.of(answer.path("id_token").asText());
    if (!description.keys().has(token.keyId())) {
      description = description(BETWEEN_LOOKS);
    }
    IdToken.Expected expected =
        new IdToken.Expected(issuer(), settings.clientId(), nonce, wall.instant());
    return IdToken.verified(token, description.keys(), expected);
  }

  /** What it calls itself. */
  String issuer() {
    return settings.provider().toString();
  }

  private String basic() {
    String pair =
        ProviderHttp.encoded(settings.clientId())
            + ":"
            + ProviderHttp.encoded(settings.clientSecret());
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
  }

  private synchronized Description description(Duration old) throws ProviderException {
    Description current = known;
    if (current == null || nanos.getAsLong() - current.at() >= old.toNanos()) {
      current = ask();
      known = current;
    }
    return current;
  }

  private Description ask() throws ProviderException {
    String base = issuer().endsWith("/") ? issuer().substring(0, issuer().length() - 1) : issuer();
    JsonNode said = ProviderHttp.get(URI.create(base + WELL_KNOWN));
    if (!said.path("issuer").asText().equals(issuer())) {
      throw new ProviderException("the provider calls itself " + said.path("issuer").asText());
    }
    Set<String> ways = new HashSet<>();
    said.path("token_endpoint_auth_methods_supported").forEach(way -> ways.add(way.asText()));
    return new Description(
        address(said, "authorization_endpoint"),
        address(said, "token_endpoint"),
        ways.isEmpty() || ways.contains("client_secret_basic"),
        new ProviderKeys(ProviderHttp.get(address(said, "jwks_uri"))),
        nanos.getAsLong());
  }

  /** An address of the provider's: by TLS, unless we were told to reach the provider without. */
  private URI address(JsonNode said, String member) throws ProviderException {
    try {
      URI address = new URI(said.path(member).asText());
      boolean isAsSafe =
          "https".equals(address.getScheme())
              || ("http".equals(address.getScheme())
                  && "http".equals(settings.provider().getScheme()));
      if (isAsSafe && address.getHost() != null) {
        return address;
      }
      throw new ProviderException("the provider's " + member + " is " + address);
    } catch (URISyntaxException e) {
      throw new ProviderException("the provider's " + member + " is no address", e);
    }
  }
}
