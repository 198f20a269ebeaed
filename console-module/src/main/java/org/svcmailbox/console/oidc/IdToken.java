package org.svcmailbox.console.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;

/** What a provider says of somebody, once it is believed (OpenID Connect Core, 3.1.3.7). */
final class IdToken {
  /** How far the provider's clock may be from ours. */
  static final Duration SKEW = Duration.ofMinutes(1);

  private static final int MOST_CHARACTERS = 64 * 1024;

  private final JsonNode claims;

  private IdToken(JsonNode claims) {
    this.claims = claims;
  }

  /**
   * What must hold for a token to be believed.
   *
   * @param nonce what this sign-in was begun with
   */
  record Expected(String issuer, String clientId, String nonce, Instant now) {}

  /** A token in its parts, nothing of it believed. */
  record Unverified(JsonNode header, JsonNode claims, String signed, String signature) {
    static Unverified of(String token) throws ProviderException {
      String[] parts = token.split("\\.", -1);
      if (token.length() > MOST_CHARACTERS || parts.length != 3) {
        throw new ProviderException("the ID token is none");
      }
      try {
        Base64.Decoder base64 = Base64.getUrlDecoder();
        return new Unverified(
            ProviderHttp.json(base64.decode(parts[0])),
            ProviderHttp.json(base64.decode(parts[1])),
            parts[0] + "." + parts[1],
            parts[2]);
      } catch (IllegalArgumentException e) {
        throw new ProviderException("the ID token is none", e);
      }
    }

    String keyId() {
      return header.path("kid").asText();
    }
  }

  /**
   * A token that is to be believed.
   *
   * @throws ProviderException saying what is wrong with it
   */
  static IdToken verified(Unverified token, ProviderKeys keys, Expected expected)
      throws ProviderException {
    String algorithm = token.header().path("alg").asText();
    require(!token.header().has("crit"), "the ID token has something that is not understood");
    require(
        keys.verify(algorithm, token.keyId(), token.signed(), token.signature()),
        "the ID token is not signed by the provider");
    JsonNode claims = token.claims();
    require(claims.path("iss").asText().equals(expected.issuer()), "another issuer");
    Set<String> audience = texts(claims.path("aud"));
    require(audience.contains(expected.clientId()), "the ID token is for somebody else");
    require(
        (audience.size() == 1 && !claims.has("azp"))
            || claims.path("azp").asText().equals(expected.clientId()),
        "the ID token is for somebody else too");
    require(
        claims.path("exp").canConvertToLong()
            && expected.now().minus(SKEW).getEpochSecond() < claims.path("exp").asLong(),
        "the ID token is over");
    require(
        claims.path("iat").canConvertToLong()
            && expected.now().plus(SKEW).getEpochSecond() >= claims.path("iat").asLong(),
        "the ID token is of the future");
    require(claims.path("nonce").asText().equals(expected.nonce()), "of another sign-in");
    require(!claims.path("sub").asText().isEmpty(), "the ID token is about nobody");
    return new IdToken(claims);
  }

  private static void require(boolean holds, String otherwise) throws ProviderException {
    if (!holds) {
      throw new ProviderException(otherwise);
    }
  }

  /** The text of a claim; the subject where it is not there. */
  String user(String claim) {
    String user = at(claim).asText();
    return user.isEmpty() ? claims.path("sub").asText() : user;
  }

  /** The texts of a claim, one or several. */
  Set<String> roles(String claim) {
    return texts(at(claim));
  }

  private JsonNode at(String claim) {
    if (claims.has(claim)) {
      return claims.path(claim);
    }
    JsonNode node = claims;
    for (String part : claim.split("\\.", -1)) {
      node = node.path(part);
    }
    return node;
  }

  private static Set<String> texts(JsonNode node) {
    Set<String> texts = new HashSet<>();
    if (node.isTextual()) {
      texts.add(node.asText());
    }
    node.forEach(
        element -> {
          if (element.isTextual()) {
            texts.add(element.asText());
          }
        });
    return texts;
  }
}
