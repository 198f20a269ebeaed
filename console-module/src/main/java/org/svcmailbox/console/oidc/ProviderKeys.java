package org.svcmailbox.console.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;

/** The keys that a provider signs with (JWKS), and the two algorithms that are believed. */
final class ProviderKeys {
  private static final int LEAST_RSA_BITS = 2048;

  private final JsonNode keys;

  /** Those of a key set as the provider publishes it. */
  ProviderKeys(JsonNode set) {
    this.keys = set.path("keys");
  }

  /** Whether there is a key of this id; with an empty one, whether there is any. */
  boolean has(String keyId) {
    for (JsonNode key : keys) {
      if (isNamed(key, keyId)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether one of the keys has signed this.
   *
   * @param algorithm as the token says: RS256 or ES256
   * @param keyId as the token says; empty when it does not
   * @param signature in base64url
   */
  boolean verify(String algorithm, String keyId, String signed, String signature) {
    for (JsonNode key : keys) {
      if (isNamed(key, keyId) && hasSigned(key, algorithm, signed, signature)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasSigned(
      JsonNode key, String algorithm, String signed, String signature) {
    try {
      return !key.path("use").asText("sig").equals("enc")
          && verify(algorithm, key, signed, signature);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      // A key of another kind, or a signature that is none: not signed with this one.
      return false;
    }
  }

  private static boolean isNamed(JsonNode key, String keyId) {
    return keyId.isEmpty() || key.path("kid").asText().equals(keyId);
  }

  private static boolean verify(String algorithm, JsonNode key, String signed, String signature)
      throws GeneralSecurityException {
    Signature verifier;
    switch (algorithm + " " + key.path("kty").asText()) {
      case "RS256 RSA" -> {
        verifier = Signature.getInstance("SHA256withRSA");
        verifier.initVerify(rsa(key));
      }
      case "ES256 EC" -> {
        verifier = Signature.getInstance("SHA256withECDSAinP1363Format");
        verifier.initVerify(p256(key));
      }
      default -> {
        return false;
      }
    }
    verifier.update(signed.getBytes(StandardCharsets.US_ASCII));
    return verifier.verify(Base64.getUrlDecoder().decode(signature));
  }

  private static PublicKey rsa(JsonNode key) throws GeneralSecurityException {
    BigInteger modulus = number(key, "n");
    if (modulus.bitLength() < LEAST_RSA_BITS) {
      throw new GeneralSecurityException("a key that is too short");
    }
    return KeyFactory.getInstance("RSA")
        .generatePublic(new RSAPublicKeySpec(modulus, number(key, "e")));
  }

  private static PublicKey p256(JsonNode key) throws GeneralSecurityException {
    if (!key.path("crv").asText().equals("P-256")) {
      throw new GeneralSecurityException("another curve");
    }
    AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
    curve.init(new ECGenParameterSpec("secp256r1"));
    ECPoint point = new ECPoint(number(key, "x"), number(key, "y"));
    return KeyFactory.getInstance("EC")
        .generatePublic(new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class)));
  }

  private static BigInteger number(JsonNode key, String member) {
    return new BigInteger(1, Base64.getUrlDecoder().decode(key.path(member).asText()));
  }
}
