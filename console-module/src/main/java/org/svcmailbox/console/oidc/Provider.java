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
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.settings.MailboxSettings.Oidc;

/**
 * The OpenID Connect provider. Its metadata and keys are loaded on first use, so that the service
 * starts without the provider, and reloaded when they are old. Any thread; one at a time loads.
 */
final class Provider {
  private static final Duration MAX_AGE = Duration.ofMinutes(10);

  /** An invalid token causes a reload at most this often. */
  private static final Duration MIN_RELOAD_INTERVAL = Duration.ofSeconds(10);

  private static final String WELL_KNOWN = "/.well-known/openid-configuration";

  private final Oidc settings;
  private final InstantSource wall;
  private final LongSupplier nanos;
  private @Nullable Metadata metadata;

  private record Metadata(
      URI authorization, URI token, boolean isBasic, JsonWebKeySet keys, long loadedAt) {}

  Provider(Oidc settings, InstantSource wall, LongSupplier nanos) {
    this.settings = settings;
    this.wall = wall;
    this.nanos = nanos;
  }

  /** The authorization endpoint with these parameters. */
  URI authorization(Map<String, String> parameters) throws ProviderException {
    String endpoint = metadata(MAX_AGE).authorization().toString();
    return URI.create(
        endpoint + (endpoint.contains("?") ? "&" : "?") + ProviderHttp.form(parameters));
  }

  /**
   * Exchanges an authorization code for a verified ID token.
   *
   * @param redirect the redirect URI of the authorization request
   * @param verifier the PKCE code verifier
   * @param nonce the nonce of the authorization request
   */
  IdToken redeem(String code, URI redirect, String verifier, String nonce)
      throws ProviderException {
    Metadata current = metadata(MAX_AGE);
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", redirect.toString());
    form.put("code_verifier", verifier);
    if (!current.isBasic()) {
      form.put("client_id", settings.clientId());
      form.put("client_secret", settings.clientSecret());
    }
    String authorization = current.isBasic() ? basic() : null;
    JsonNode answer = ProviderHttp.post(current.token(), form, authorization);
    String token = answer.path("id_token").asText();
    IdToken.Expected expected =
        new IdToken.Expected(issuer(), settings.clientId(), nonce, wall.instant());
    try {
      return IdToken.verify(token, current.keys(), expected);
    } catch (ProviderException e) {
      // The provider may have changed its keys.
      Metadata reloaded = metadata(MIN_RELOAD_INTERVAL);
      if (reloaded.loadedAt() == current.loadedAt()) {
        throw e;
      }
      return IdToken.verify(token, reloaded.keys(), expected);
    }
  }

  /** The configured issuer. */
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

  private synchronized Metadata metadata(Duration maxAge) throws ProviderException {
    Metadata current = metadata;
    if (current == null || nanos.getAsLong() - current.loadedAt() >= maxAge.toNanos()) {
      current = load();
      metadata = current;
    }
    return current;
  }

  private Metadata load() throws ProviderException {
    String base = issuer().endsWith("/") ? issuer().substring(0, issuer().length() - 1) : issuer();
    JsonNode document = ProviderHttp.get(URI.create(base + WELL_KNOWN));
    if (!document.path("issuer").asText().equals(issuer())) {
      throw new ProviderException(
          "the provider's metadata name another issuer: " + document.path("issuer").asText());
    }
    Set<String> methods = new HashSet<>();
    document
        .path("token_endpoint_auth_methods_supported")
        .forEach(method -> methods.add(method.asText()));
    return new Metadata(
        endpoint(document, "authorization_endpoint"),
        endpoint(document, "token_endpoint"),
        methods.isEmpty() || methods.contains("client_secret_basic"),
        keys(ProviderHttp.get(endpoint(document, "jwks_uri"))),
        nanos.getAsLong());
  }

  private static JsonWebKeySet keys(JsonNode document) throws ProviderException {
    try {
      return new JsonWebKeySet(document.toString());
    } catch (JoseException e) {
      throw new ProviderException("the provider's key set is invalid", e);
    }
  }

  /** Reads an endpoint, which must use TLS unless the configured provider does not. */
  private URI endpoint(JsonNode document, String member) throws ProviderException {
    try {
      URI address = new URI(document.path(member).asText());
      boolean isSecure =
          "https".equals(address.getScheme())
              || ("http".equals(address.getScheme())
                  && "http".equals(settings.provider().getScheme()));
      if (isSecure && address.getHost() != null) {
        return address;
      }
      throw new ProviderException("the provider's " + member + " is " + address);
    } catch (URISyntaxException e) {
      throw new ProviderException("the provider's " + member + " is not a URI", e);
    }
  }
}
