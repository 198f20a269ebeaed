package org.svcmailbox.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.WrittenFiles;

/**
 * A root key that is planted shows up in nothing that the server writes or answers, and a
 * capability in nothing but the operator's file. What is not secret is found, so the search finds
 * things.
 */
class SecretsIT {
  private static final byte[] SECRET = "canary-canary-canary-canary-4711".getBytes(US_ASCII);
  private static final String ENCODED = Base64.getEncoder().encodeToString(SECRET);

  private final MailboxServer server =
      MailboxServer.start("secrets", Map.of("MAILBOX_CAPABILITY_ROOT_KEYS", "planted=" + ENCODED));
  private final MailboxClient operator = new MailboxClient(server.target());
  private final List<String> answers = new ArrayList<>();

  @AfterEach
  void end() {
    server.close();
  }

  @Test
  void neitherKeysNorCapabilitiesAreWrittenOrAnswered() throws Exception {
    MailboxAnswer minted = mint("ops = send");
    String token = minted.json().path("capability").asText();
    assertEquals("planted", minted.json().path("key_id").asText());
    useAndMisuse(token);
    assertEquals(0, server.terminate());

    Map<String, byte[]> secrets = secrets(token);
    WrittenFiles written =
        new WrittenFiles().below(server.directory(), file -> !file.equals(server.operatorFile()));
    for (Map.Entry<String, byte[]> secret : secrets.entrySet()) {
      String text = new String(secret.getValue(), ISO_8859_1);
      assertEquals(Set.of(), written.holding(List.of(text)), secret.getKey() + " is written");
      assertTrue(
          answers.stream().noneMatch(answer -> answer.contains(text)),
          secret.getKey() + " is answered");
    }
    assertFound(written, "planted", "the key's id");
    assertFound(written, minted.json().path("nonce").asText(), "the capability's nonce");
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(server.operatorFile())));
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(server.operatorFile().getParent())));
  }

  private MailboxAnswer mint(String... caveats) throws IOException {
    Fields request = Fields.of("caveats", List.of(caveats)).with("expires_in", "1h");
    return operator.post("/v1/capabilities", request).expect(201);
  }

  /** Everything that may make a server talk. */
  private void useAndMisuse(String token) throws IOException {
    MailboxClient client = operator.with(token);
    keep(client.send("topic", "key", new byte[10]), 200);
    keep(client.recv("topic"), 403);
    keep(client.post("/v1/send", "{" + token), 400);
    // Told back to the one who said it, and to nobody else.
    client.post("/v1/send", Fields.of(token, token)).expect(400);
    client.get("/v1/topics/" + token).expect(403);
    keep(operator.with(token + "A").topics(), 401);
    keep(operator.with(ENCODED).topics(), 401);
    keep(operator.get("/openapi"), 200);
    keep(operator.get("/readyz"), 200);
    keep(operator.topics(), 200);
    keep(operator.post("/v1/capabilities/revoke", Fields.of("capability", token)), 200);
    keep(client.send("topic", "key", new byte[10]), 401);
    keep(operator.post("/v1/capabilities/revoke", Fields.of("capability", token + "A")), 400);
    keep(operator.post("/v1/capabilities/rotate", Fields.NONE), 200);
    String next = mint().json().path("capability").asText();
    MailboxClient renewed = new MailboxClient(new CallTarget(server.uri(), next));
    keep(renewed.post("/v1/capabilities/revoke", Fields.of("key_id", "planted")), 200);
    keep(operator.topics(), 401);
  }

  private void keep(MailboxAnswer answer, int expected) {
    answers.add(answer.expect(expected).text());
  }

  /** What must not be seen, in each form it could be seen in. */
  private static Map<String, byte[]> secrets(String token) throws GeneralSecurityException {
    byte[] derived = hmac("macaroons-key-generator".getBytes(US_ASCII), SECRET);
    byte[] signature = Base64.getUrlDecoder().decode(token);
    Map<String, byte[]> secrets = new TreeMap<>();
    secrets.put("the root key", SECRET);
    secrets.put("the root key in base64", ENCODED.getBytes(US_ASCII));
    secrets.put("the root key in hex", HexFormat.of().formatHex(SECRET).getBytes(US_ASCII));
    secrets.put("the derived key", derived);
    secrets.put("the derived key in hex", HexFormat.of().formatHex(derived).getBytes(US_ASCII));
    secrets.put("the capability's end", token.substring(token.length() - 30).getBytes(US_ASCII));
    secrets.put(
        "its signature",
        java.util.Arrays.copyOfRange(signature, signature.length - 32, signature.length));
    return secrets;
  }

  private static byte[] hmac(byte[] key, byte[] message) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(message);
  }

  private static void assertFound(WrittenFiles written, String text, String what)
      throws IOException {
    assertFalse(written.holding(List.of(text)).isEmpty(), what + " is nowhere");
  }
}
