package org.svcmailbox.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.Capability;

class CapTest extends CliTest {
  private static final String MINT = "POST /v1/capabilities";

  CapTest() throws IOException {}

  private static List<String> caveats(JsonNode line) {
    return line.path("caveats").valueStream().map(JsonNode::asText).toList();
  }

  /** No service is named: it works without one. */
  private void offline() {
    environment.remove("MAILBOX_URL");
  }

  @Test
  void inspectingShowsAllButTheToken() {
    offline();
    Result result = run("cap", "inspect");
    assertEquals(0, result.code(), result::err);
    JsonNode line = result.line();
    assertEquals("k1", line.path("key_id").asText());
    assertEquals(NONCE, line.path("nonce").asText());
    assertEquals(List.of(), caveats(line));
    assertFalse(result.out().contains(CAPABILITY.substring(60)), result.out());
  }

  /** As a holder could make it by hand. The service denies everything to it. */
  private static String withCaveat(String caveat) throws GeneralSecurityException {
    byte[] token = Base64.getUrlDecoder().decode(CAPABILITY);
    int signature = token.length - 32;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(token, signature, 32, "HmacSHA256"));
    ByteArrayOutputStream narrowed = new ByteArrayOutputStream();
    // Before the end of the caveats, and the head of the signature.
    narrowed.write(token, 0, signature - 3);
    narrowed.writeBytes(new byte[] {2, (byte) caveat.length()});
    narrowed.writeBytes(caveat.getBytes(US_ASCII));
    narrowed.write(0);
    narrowed.write(token, signature - 3, 3);
    narrowed.writeBytes(mac.doFinal(caveat.getBytes(US_ASCII)));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(narrowed.toByteArray());
  }

  @Test
  void aCaveatThatTheServiceDoesNotKnowIsPointedOut() throws GeneralSecurityException {
    input(withCaveat("colour = red"));
    JsonNode line = run("cap", "inspect", "-").line();
    assertEquals(List.of("colour = red"), caveats(line));
    assertEquals("[\"colour = red\"]", line.path("unknown_caveats").toString());
  }

  @Test
  void narrowingIsDoneOfflineAndOnlyNarrows() {
    offline();
    Instant before = Instant.now();
    Result result =
        run(
            "cap",
            "narrow",
            "--topic",
            "orders.*",
            "--ops",
            "recv,ack",
            "--idem-prefix",
            "app1:",
            "--rate",
            "100/s",
            "--max-inflight",
            "5",
            "--ip",
            "10.0.0.0/8",
            "--expires-in",
            "1h",
            "--caveat",
            "not_before > 2026-01-01T00:00:00Z");
    assertEquals(0, result.code(), result::err);
    JsonNode line = result.line();
    Capability narrowed = Capability.parse(line.path("capability").asText());
    assertEquals(narrowed.caveats(), caveats(line));
    assertEquals(
        List.of(
            "topic = orders.*",
            "ops = recv,ack",
            "idem_prefix = app1:",
            "rate = 100/s",
            "max_inflight = 5",
            "ip = 10.0.0.0/8",
            "not_before > 2026-01-01T00:00:00Z"),
        narrowed.caveats().subList(0, 7));
    Duration life = Duration.between(before, narrowed.expires().orElseThrow());
    assertTrue(life.toMinutes() >= 59 && life.toMinutes() <= 61, life.toString());
    assertEquals(NONCE, narrowed.nonce());
  }

  @Test
  void aCapabilityIsNarrowedToAMailboxOfTheRendezvousDoor() {
    offline();
    String recipient = "0a".repeat(32);
    Result result =
        run("cap", "narrow", "--mailbox", recipient, "--ops", "rendezvous.post,rendezvous.get");
    assertEquals(0, result.code(), result::err);
    assertEquals(
        List.of("mailbox = " + recipient, "ops = rendezvous.post,rendezvous.get"),
        caveats(result.line()));
    assertEquals(2, run("cap", "narrow", "--mailbox", recipient.toUpperCase(Locale.ROOT)).code());
  }

  @Test
  void aTokenGoesToANewFileForItsOwnerOnly() throws IOException {
    offline();
    Path file = directory.resolve("narrow.cap");
    Result result = run("cap", "narrow", "--ops", "send", "--out", file.toString());
    assertEquals(0, result.code());
    assertFalse(result.line().has("capability"), result.out());
    assertEquals(List.of("ops = send"), Capability.parse(Files.readString(file).strip()).caveats());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));

    String kept = Files.readString(file);
    assertEquals(2, run("cap", "narrow", "--ops", "recv", "--out", file.toString()).code());
    assertEquals(kept, Files.readString(file));
  }

  @Test
  void whatIsNoCapabilityIsRefusedWithoutBeingShown() {
    input("secret words");
    Result result = run("cap", "inspect", "-");
    assertEquals(2, result.code());
    assertFalse(result.err().contains("secret"), result.err());
  }

  @Test
  void mintingPrintsTheCapabilityOrKeepsItInAFile() throws IOException {
    String minted =
        "{\"capability\":\"%s\",\"nonce\":\"%s\",\"key_id\":\"k1\",\"expires\":\"2026-12-01T00:00:00Z\"}"
            .formatted(CAPABILITY, NONCE);
    service.next(MINT, 201, minted).next(MINT, 201, minted);
    Result printed = run("cap", "mint", "--topic", "orders", "--expires-in", "8h");
    assertEquals(CAPABILITY, printed.line().path("capability").asText());
    assertEquals(
        "{\"expires_in\":\"PT8H\",\"caveats\":[\"topic = orders\"]}", service.request(MINT).body());

    Path file = directory.resolve("minted.cap");
    Result kept =
        run("cap", "mint", "--expires-in", "8h", "--note", "shop 7", "--out", file.toString());
    assertEquals("shop 7", service.requests(MINT).get(1).json().path("note").asText());
    assertFalse(kept.out().contains(CAPABILITY), kept.out());
    assertEquals(CAPABILITY, Files.readString(file).strip());
    assertEquals(2, run("cap", "mint", "--expires-in", "8h", "--out", file.toString()).code());
    assertEquals(2, service.requests(MINT).size(), "none is minted that cannot be kept");
  }

  @Test
  void aCapabilityIsRevokedByItsNonce() {
    String revoke = "POST /v1/capabilities/revoke";
    input(CAPABILITY);
    Result result = run("cap", "revoke", "-");
    assertEquals(0, result.code(), result::err);
    assertEquals("{\"nonce\":\"" + NONCE + "\"}", service.request(revoke).body());
    run("cap", "revoke", "--key-id", "k1");
    assertEquals("{\"key_id\":\"k1\"}", service.requests(revoke).get(1).body());
    run("cap", "revoke", "--nonce", NONCE);
    assertEquals("{\"nonce\":\"" + NONCE + "\"}", service.requests(revoke).get(2).body());
    run("cap", "revoke", "--nonce", NONCE, "--release-leases");
    assertEquals(
        "{\"nonce\":\"" + NONCE + "\",\"release_leases\":true}",
        service.requests(revoke).get(3).body());
  }
}
