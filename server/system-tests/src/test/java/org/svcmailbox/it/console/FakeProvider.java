package org.svcmailbox.it.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A small OpenID Connect provider. It signs in the user that a test chooses and performs a real
 * provider's checks. Tests can tamper with its ID tokens.
 */
final class FakeProvider implements AutoCloseable {
  static final String CLIENT = "mailbox";
  static final String SECRET = "secret of the client";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final HttpServer server;
  private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private volatile KeyPair key = rsa();
  private volatile String keyId = "first";

  /** The claims of the user. */
  volatile Map<String, Object> person = Map.of();

  /** Changes each token's claims before it is signed. */
  volatile Consumer<Map<String, Object>> bend = claims -> {};

  /** The algorithm in the tokens' header. */
  volatile String algorithm = "RS256";

  /** The signing key; the published one unless a test replaces it. */
  volatile KeyPair forger = key;

  FakeProvider() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/realm/.well-known/openid-configuration", this::describe);
    server.createContext("/realm/keys", exchange -> answer(exchange, 200, keys()));
    server.createContext("/realm/token", this::token);
    server.start();
  }

  /** Restores the defaults. */
  void reset() {
    person = Map.of("preferred_username", "ann", "groups", List.of("operators"));
    bend = claims -> {};
    algorithm = "RS256";
    forger = key;
  }

  URI issuer() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/realm");
  }

  /** Replaces the published key. */
  void rotate(KeyPair next, String id) {
    key = next;
    keyId = id;
    forger = next;
  }

  static KeyPair rsa() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static KeyPair ec() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Completes the sign-in at the provider.
   *
   * @param authorization the authorization request
   * @return the redirect back to the console
   */
  URI comeBack(URI authorization) {
    Map<String, String> asked = fields(authorization.getRawQuery());
    String code = "code-" + numbers.incrementAndGet();
    codes.put(code, asked);
    return URI.create(
        asked.get("redirect_uri")
            + "?code="
            + code
            + "&state="
            + Browser.encoded(String.valueOf(asked.get("state"))));
  }

  static Map<String, String> fields(String form) {
    Map<String, String> fields = new HashMap<>();
    for (String field : form.split("&", -1)) {
      String[] parts = field.split("=", 2);
      fields.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return fields;
  }

  private void describe(HttpExchange exchange) throws IOException {
    answer(
        exchange,
        200,
        Map.of(
            "issuer", issuer().toString(),
            "authorization_endpoint", issuer() + "/authorize?tenant=1",
            "token_endpoint", issuer() + "/token",
            "jwks_uri", issuer() + "/keys",
            "token_endpoint_auth_methods_supported", List.of("client_secret_basic")));
  }

  private Map<String, Object> keys() {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("kid", keyId);
    one.put("use", "sig");
    if (key.getPublic() instanceof RSAPublicKey rsa) {
      one.put("kty", "RSA");
      one.put("n", number(rsa.getModulus(), 256));
      one.put("e", number(rsa.getPublicExponent(), 3));
    } else if (key.getPublic() instanceof ECPublicKey ec) {
      one.put("kty", "EC");
      one.put("crv", "P-256");
      one.put("x", number(ec.getW().getAffineX(), 32));
      one.put("y", number(ec.getW().getAffineY(), 32));
    }
    return Map.of("keys", List.of(one));
  }

  private static String number(BigInteger number, int bytes) {
    byte[] minimal = number.toByteArray();
    byte[] fixed = new byte[bytes];
    int length = Math.min(bytes, minimal.length);
    System.arraycopy(minimal, minimal.length - length, fixed, bytes - length, length);
    return BASE64.encodeToString(fixed);
  }

  private void token(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Map<String, String> form = fields(new String(body, StandardCharsets.US_ASCII));
    Map<String, String> asked = codes.remove(String.valueOf(form.get("code")));
    String basic = CLIENT + ":" + Browser.encoded(SECRET);
    String expected =
        "Basic " + Base64.getEncoder().encodeToString(basic.getBytes(StandardCharsets.US_ASCII));
    boolean isRight =
        asked != null
            && expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))
            && "authorization_code".equals(form.get("grant_type"))
            && String.valueOf(asked.get("redirect_uri")).equals(form.get("redirect_uri"))
            && challenge(String.valueOf(form.get("code_verifier")))
                .equals(asked.get("code_challenge"));
    if (!isRight || asked == null) {
      answer(exchange, 400, Map.of("error", "invalid_grant"));
    } else {
      Map<String, Object> claims = new HashMap<>(person);
      claims.put("iss", issuer().toString());
      claims.put("sub", "subject-1");
      claims.put("aud", CLIENT);
      claims.put("nonce", asked.get("nonce"));
      claims.put("iat", Instant.now().getEpochSecond());
      claims.put("exp", Instant.now().plusSeconds(300).getEpochSecond());
      bend.accept(claims);
      answer(exchange, 200, Map.of("token_type", "Bearer", "id_token", signed(claims)));
    }
  }

  private static String challenge(String verifier) {
    try {
      byte[] bytes = verifier.getBytes(StandardCharsets.US_ASCII);
      return BASE64.encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private String signed(Map<String, Object> claims) throws IOException {
    String head = part(Map.of("alg", algorithm, "kid", keyId)) + "." + part(claims);
    if (algorithm.equals("none")) {
      return head + ".";
    }
    try {
      String name = algorithm.equals("ES256") ? "SHA256withECDSAinP1363Format" : "SHA256withRSA";
      Signature signature = Signature.getInstance(name);
      signature.initSign(forger.getPrivate());
      signature.update(head.getBytes(StandardCharsets.US_ASCII));
      return head + "." + BASE64.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String part(Map<String, ?> members) throws IOException {
    return BASE64.encodeToString(JSON.writeValueAsBytes(members));
  }

  private static void answer(HttpExchange exchange, int status, Map<String, ?> members)
      throws IOException {
    byte[] json = JSON.writeValueAsBytes(members);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, json.length);
    exchange.getResponseBody().write(Arrays.copyOf(json, json.length));
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
