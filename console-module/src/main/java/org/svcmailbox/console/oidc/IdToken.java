package org.svcmailbox.console.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.jwt.consumer.Validator;
import org.jose4j.keys.resolvers.JwksVerificationKeyResolver;
import org.jspecify.annotations.Nullable;

/** The claims of a verified ID token (OpenID Connect Core, 3.1.3.7). */
final class IdToken {
  /** The tolerated difference between the provider's clock and ours. */
  static final Duration SKEW = Duration.ofMinutes(1);

  /** Tokens are redeemed as soon as they are issued. */
  static final Duration MAX_AGE = Duration.ofHours(1);

  private final JsonNode claims;

  private IdToken(JsonNode claims) {
    this.claims = claims;
  }

  /**
   * The values that a token must contain.
   *
   * @param nonce the nonce of the authorization request
   */
  record Expected(String issuer, String clientId, String nonce, Instant now) {}

  /**
   * Verifies a token's signature and claims.
   *
   * @throws ProviderException if any check fails
   */
  static IdToken verify(String token, JsonWebKeySet keys, Expected expected)
      throws ProviderException {
    if (token.isEmpty()) {
      throw new ProviderException("the response contains no ID token");
    }
    try {
      JwtClaims claims = consumer(keys, expected).build().processToClaims(token);
      return new IdToken(ProviderHttp.json(claims.getRawJson().getBytes(StandardCharsets.UTF_8)));
    } catch (InvalidJwtException e) {
      // Not the cause: its message holds the claims, which are personal data.
      throw new ProviderException("the ID token is invalid: " + reasons(e, token));
    }
  }

  private static String reasons(InvalidJwtException failure, String token) {
    return failure.getErrorDetails().stream()
        .map(detail -> detail.getErrorMessage().replace(token, "(token)"))
        .collect(Collectors.joining("; "));
  }

  private static JwtConsumerBuilder consumer(JsonWebKeySet keys, Expected expected) {
    JwksVerificationKeyResolver resolver = new JwksVerificationKeyResolver(keys.getJsonWebKeys());
    // A token need not name its key if the provider has several.
    resolver.setDisambiguateWithVerifySignature(true);
    return new JwtConsumerBuilder()
        .setVerificationKeyResolver(resolver)
        .setJwsAlgorithmConstraints(
            ConstraintType.PERMIT,
            AlgorithmIdentifiers.RSA_USING_SHA256,
            AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256)
        .setExpectedIssuer(expected.issuer())
        .setExpectedAudience(expected.clientId())
        .setRequireSubject()
        .setRequireExpirationTime()
        .setRequireIssuedAt()
        .setIssuedAtRestrictions(0, Math.toIntExact(MAX_AGE.toSeconds()))
        .setEvaluationTime(NumericDate.fromMilliseconds(expected.now().toEpochMilli()))
        .setAllowedClockSkewInSeconds(Math.toIntExact(SKEW.toSeconds()))
        .registerValidator((Validator) context -> violation(context.getJwtClaims(), expected));
  }

  /** Checks the claims that only ID tokens have. */
  private static @Nullable String violation(JwtClaims claims, Expected expected)
      throws MalformedClaimException {
    if (!expected.nonce().equals(claims.getStringClaimValue("nonce"))) {
      return "the nonce belongs to another sign-in";
    }
    if (claims.getSubject().isEmpty()) {
      return "the subject is empty";
    }
    List<String> audience = claims.getAudience();
    boolean isForUs =
        (audience.size() == 1 && !claims.hasClaim("azp"))
            || expected.clientId().equals(claims.getStringClaimValue("azp"));
    return isForUs ? null : "the token is authorized for another client";
  }

  /** The text of a claim; the subject if there is none. */
  String user(String claim) {
    String user = at(claim).asText();
    return user.isEmpty() ? claims.path("sub").asText() : user;
  }

  /**
   * How long ago the user signed in at the provider; empty if the token does not say, or says a
   * time that has not come.
   */
  Optional<Duration> signedInAgo(Instant now) {
    JsonNode time = claims.path("auth_time");
    if (!time.canConvertToLong()) {
      return Optional.empty();
    }
    long seconds = now.getEpochSecond() - time.asLong();
    return seconds < -SKEW.toSeconds() || time.asLong() < 0
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(Math.max(0, seconds)));
  }

  /** The texts of a claim, a string or an array. */
  Set<String> roles(String claim) {
    Set<String> roles = new HashSet<>();
    JsonNode value = at(claim);
    for (JsonNode role : value.isTextual() ? List.of(value) : value) {
      if (role.isTextual()) {
        roles.add(role.asText());
      }
    }
    return roles;
  }

  /** A claim of this name, or else of this dotted path. */
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
}
