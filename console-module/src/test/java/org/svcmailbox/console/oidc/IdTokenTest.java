package org.svcmailbox.console.oidc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Verification of ID tokens: each test breaks one rule. */
class IdTokenTest {
  private static final String ISSUER = "https://sso.example/realm";
  private static final String CLIENT = "mailbox";
  private static final long NOW = 1_800_000_000L;
  private static final long SKEW = IdToken.SKEW.toSeconds();
  private static final long MAX_AGE = IdToken.MAX_AGE.toSeconds();
  private static final IdToken.Expected EXPECTED =
      new IdToken.Expected(ISSUER, CLIENT, "nonce", Instant.ofEpochSecond(NOW));

  private static final PublicJsonWebKey RSA = rsa(2048, "rsa");
  private static final PublicJsonWebKey EC = ec();

  private static PublicJsonWebKey rsa(int bits, String id) {
    try {
      PublicJsonWebKey key = RsaJwkGenerator.generateJwk(bits);
      key.setKeyId(id);
      return key;
    } catch (JoseException e) {
      throw new AssertionError(e);
    }
  }

  private static PublicJsonWebKey ec() {
    try {
      PublicJsonWebKey key = EcJwkGenerator.generateJwk(EllipticCurves.P256);
      key.setKeyId("ec");
      return key;
    } catch (JoseException e) {
      throw new AssertionError(e);
    }
  }

  private static JwtClaims claims() {
    JwtClaims claims = new JwtClaims();
    claims.setIssuer(ISSUER);
    claims.setSubject("subject-1");
    claims.setAudience(CLIENT);
    claims.setClaim("nonce", "nonce");
    claims.setClaim("iat", NOW);
    claims.setClaim("exp", NOW + 300);
    return claims;
  }

  private static JsonWebSignature signature(String algorithm, PublicJsonWebKey key, String claims) {
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload(claims);
    signature.setAlgorithmHeaderValue(algorithm);
    signature.setKeyIdHeaderValue(key.getKeyId());
    signature.setKey(key.getPrivateKey());
    signature.setDoKeyValidation(false);
    return signature;
  }

  private static IdToken verify(JsonWebSignature token, PublicJsonWebKey... keys) throws Exception {
    return IdToken.verify(token.getCompactSerialization(), new JsonWebKeySet(keys), EXPECTED);
  }

  private static void assertRefused(JsonWebSignature token, PublicJsonWebKey... keys) {
    assertThrows(ProviderException.class, () -> verify(token, keys));
  }

  private static IdToken verify(Consumer<JwtClaims> change) throws Exception {
    JwtClaims claims = claims();
    change.accept(claims);
    return verify(signature("RS256", RSA, claims.toJson()), RSA);
  }

  @Test
  void bothAlgorithmsVerify() throws Exception {
    String claims = claims().toJson();
    assertEquals("subject-1", verify(signature("RS256", RSA, claims), RSA, EC).user("sub"));
    assertEquals("subject-1", verify(signature("ES256", EC, claims), RSA, EC).user("sub"));
  }

  @ParameterizedTest
  @CsvSource({"RS384", "RS512", "PS256"})
  void otherAlgorithmsAreRefused(String algorithm) {
    assertRefused(signature(algorithm, RSA, claims().toJson()), RSA);
  }

  @Test
  void anUnsignedTokenIsRefused() {
    JsonWebSignature token = new JsonWebSignature();
    token.setPayload(claims().toJson());
    token.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
    token.setAlgorithmHeaderValue("none");
    assertRefused(token, RSA);
  }

  /** The public key is no secret, so it must not serve as one. */
  @Test
  void aMacKeyedWithThePublicKeyIsRefused() {
    JsonWebSignature token = new JsonWebSignature();
    token.setPayload(claims().toJson());
    token.setAlgorithmHeaderValue("HS256");
    token.setKeyIdHeaderValue("rsa");
    token.setKey(new HmacKey(RSA.getPublicKey().getEncoded()));
    assertRefused(token, RSA);
  }

  @Test
  void anotherKeyOfTheSameIdIsRefused() {
    assertRefused(signature("RS256", rsa(2048, "rsa"), claims().toJson()), RSA);
  }

  @Test
  void aShortKeyIsRefused() {
    PublicJsonWebKey key = rsa(1024, "short");
    assertRefused(signature("RS256", key, claims().toJson()), key);
  }

  @Test
  void anEncryptionKeyIsRefused() throws Exception {
    PublicJsonWebKey key = rsa(2048, "enc");
    JsonWebSignature token = signature("RS256", key, claims().toJson());
    verify(token, key);
    key.setUse("enc");
    assertRefused(token, key);
  }

  @Test
  void anUnknownCriticalHeaderIsRefused() {
    JsonWebSignature token = signature("RS256", RSA, claims().toJson());
    token.setHeader("crit", List.of("b65"));
    token.setHeader("b65", true);
    assertRefused(token, RSA);
  }

  @Test
  void aTokenWithoutKeyIdVerifiesWithAnyKey() throws Exception {
    PublicJsonWebKey other = rsa(2048, "other");
    JsonWebSignature unnamed = new JsonWebSignature();
    unnamed.setPayload(claims().toJson());
    unnamed.setAlgorithmHeaderValue("RS256");
    unnamed.setKey(RSA.getPrivateKey());
    assertEquals("subject-1", verify(unnamed, other, RSA).user("sub"));
  }

  @Test
  void aDuplicateClaimIsRefused() {
    String claims = claims().toJson().replaceFirst("\\{", "{\"sub\":\"admin\",");
    assertRefused(signature("RS256", RSA, claims), RSA);
  }

  @ParameterizedTest
  @CsvSource({"''", "a.b", "a.b.c", "a.b.c.d.e"})
  void malformedTokensAreRefused(String token) {
    assertThrows(
        ProviderException.class, () -> IdToken.verify(token, new JsonWebKeySet(RSA), EXPECTED));
  }

  @Test
  void failuresRevealNeitherTokenNorClaims() throws Exception {
    String claims = claims().toJson().replaceFirst("\\{", "{\"email\":\"ann@example.com\",");
    for (JsonWebSignature token :
        List.of(
            signature("RS256", rsa(2048, "rsa"), claims),
            signature("RS512", RSA, claims),
            signature("RS256", RSA, claims.replace(ISSUER, "https://evil.example")))) {
      ProviderException failure = assertThrows(ProviderException.class, () -> verify(token, RSA));
      String message = String.valueOf(failure.getMessage());
      assertFalse(message.contains("ann@example.com"), message);
      assertFalse(message.contains(token.getCompactSerialization()), message);
      assertNull(failure.getCause());
    }
  }

  private static void expire(JwtClaims claims, long at) {
    claims.setClaim("iat", at - 1);
    claims.setClaim("exp", at);
  }

  private static Arguments change(String what, Consumer<JwtClaims> change) {
    return Arguments.of(what, change);
  }

  static Stream<Arguments> invalid() {
    return Stream.of(
        change("another issuer", claims -> claims.setIssuer("https://evil.example")),
        change("no issuer", claims -> claims.unsetClaim("iss")),
        change("another audience", claims -> claims.setAudience("other")),
        change("no audience", claims -> claims.unsetClaim("aud")),
        change("several audiences", claims -> claims.setAudience(CLIENT, "other")),
        change("another authorized party", claims -> claims.setClaim("azp", "other")),
        change("another nonce", claims -> claims.setClaim("nonce", "other")),
        change("no nonce", claims -> claims.unsetClaim("nonce")),
        change("no subject", claims -> claims.unsetClaim("sub")),
        change("empty subject", claims -> claims.setSubject("")),
        change("no expiry", claims -> claims.unsetClaim("exp")),
        change("expired", claims -> expire(claims, NOW - SKEW)),
        change("no issue time", claims -> claims.unsetClaim("iat")),
        change("issued in the future", claims -> claims.setClaim("iat", NOW + SKEW + 1)),
        change("issued long ago", claims -> claims.setClaim("iat", NOW - MAX_AGE - SKEW - 1)),
        change("not valid yet", claims -> claims.setClaim("nbf", NOW + SKEW + 1)),
        change("textual expiry", claims -> claims.setClaim("exp", "tomorrow")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalid")
  void anInvalidClaimIsRefused(String what, Consumer<JwtClaims> change) {
    assertThrows(ProviderException.class, () -> verify(change));
  }

  static Stream<Arguments> valid() {
    return Stream.of(
        change("expires within the skew", claims -> expire(claims, NOW - SKEW + 1)),
        change("issued within the skew", claims -> claims.setClaim("iat", NOW + SKEW)),
        change("of the maximum age", claims -> claims.setClaim("iat", NOW - MAX_AGE)),
        change("own authorized party", claims -> claims.setClaim("azp", CLIENT)),
        change(
            "several audiences, authorized for this client",
            claims -> {
              claims.setAudience(CLIENT, "other");
              claims.setClaim("azp", CLIENT);
            }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void aValidClaimIsAccepted(String what, Consumer<JwtClaims> change) throws Exception {
    assertEquals("subject-1", verify(change).user("preferred_username"));
  }

  static Stream<Arguments> signIns() {
    return Stream.of(
        Arguments.of(NOW, 0L),
        Arguments.of(NOW - 599, 599L),
        Arguments.of(0, NOW),
        Arguments.of(NOW + SKEW, 0L),
        Arguments.of(NOW + SKEW + 1, null),
        Arguments.of(NOW * 1_000, null),
        Arguments.of(-1, null),
        Arguments.of("" + NOW, null),
        Arguments.of(1e30, null),
        Arguments.of(true, null),
        Arguments.of(List.of(NOW), null));
  }

  @ParameterizedTest
  @MethodSource("signIns")
  void aTokenSaysHowLongAgoTheUserSignedIn(Object time, @Nullable Long seconds) throws Exception {
    Optional<Duration> ago = Optional.ofNullable(seconds).map(Duration::ofSeconds);
    IdToken token = verify(claims -> claims.setClaim("auth_time", time));
    assertEquals(ago, token.signedInAgo(Instant.ofEpochSecond(NOW)));
  }

  @Test
  void aTokenNeedNotSayIt() throws Exception {
    assertEquals(Optional.empty(), verify(claims -> {}).signedInAgo(Instant.ofEpochSecond(NOW)));
  }

  @Test
  void rolesComeFromAStringAnArrayOrANestedClaim() throws Exception {
    IdToken token =
        verify(
            claims -> {
              claims.setClaim("one", "viewer");
              claims.setClaim("groups", List.of("viewer", "operator", 7));
              claims.setClaim("realm_access", Map.of("roles", List.of("operator")));
            });
    assertEquals(Set.of("viewer"), token.roles("one"));
    assertEquals(Set.of("viewer", "operator"), token.roles("groups"));
    assertEquals(Set.of("operator"), token.roles("realm_access.roles"));
    assertEquals(Set.of(), token.roles("missing"));
  }

  @Test
  void textBeyondAsciiSurvives() throws Exception {
    byte[] utf8 = {(byte) 0xc3, (byte) 0xa9};
    String name = new String(utf8, StandardCharsets.UTF_8);
    assertEquals(name, verify(claims -> claims.setClaim("name", name)).user("name"));
  }
}
