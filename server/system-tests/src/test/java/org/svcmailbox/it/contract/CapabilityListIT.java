package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.test.concurrent.Deadline;

@ContractTest
class CapabilityListIT {
  private final MailboxClient operator;

  CapabilityListIT(MailboxClient operator) {
    this.operator = operator;
  }

  private JsonNode mint(String caveat, String life) throws IOException {
    Fields request =
        Fields.of("caveats", List.of(caveat)).with("expires_in", life).with("note", "a test's");
    return operator.post("/v1/capabilities", request).expect(201).json();
  }

  private Optional<JsonNode> listed(String nonce) throws IOException {
    return pages(1_000).stream()
        .filter(one -> one.path("nonce").asText().equals(nonce))
        .findFirst();
  }

  /** Others mint meanwhile, which moves nothing that is listed. */
  private List<JsonNode> pages(int limit) throws IOException {
    List<JsonNode> all = new ArrayList<>();
    String query = "?limit=" + limit;
    while (true) {
      JsonNode page = operator.get("/v1/capabilities" + query).expect(200).json();
      page.path("capabilities").forEach(all::add);
      if (!page.has("next_cursor")) {
        return all;
      }
      query = "?limit=" + limit + "&cursor=" + page.path("next_cursor").asText();
    }
  }

  @Test
  void whatIsMintedIsListedWithoutItsSecretAndSaysWhenItWasRevoked() throws IOException {
    JsonNode minted = mint("topic = listed.*", "1h");
    String nonce = minted.path("nonce").asText();
    JsonNode live = listed(nonce).orElseThrow();
    assertEquals(minted.path("key_id"), live.path("key_id"));
    assertEquals(minted.path("expires"), live.path("expires"));
    assertTrue(live.path("caveats").toString().contains("topic = listed.*"));
    assertTrue(live.path("minted_by").asText().contains(":"));
    assertEquals("a test's", live.path("note").asText());
    assertEquals("operator.cap", live.path("minted_by_name").asText());
    assertFalse(live.has("revoked_at"));
    assertFalse(live.toString().contains(minted.path("capability").asText().substring(60)));

    operator.post("/v1/capabilities/revoke", Fields.of("nonce", nonce)).expect(200);
    JsonNode revoked = listed(nonce).orElseThrow();
    assertTrue(revoked.has("revoked_at"));
    assertEquals(live.path("caveats"), revoked.path("caveats"));
  }

  @Test
  void pagesLeaveNothingOut() throws IOException {
    List<String> minted = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      minted.add(mint("ops = send", "1h").path("nonce").asText());
    }
    List<String> nonces = pages(20).stream().map(one -> one.path("nonce").asText()).toList();
    assertTrue(nonces.containsAll(minted));
    List<String> live = nonces.stream().filter(nonce -> !nonce.isEmpty()).toList();
    assertEquals(live.stream().sorted().distinct().toList(), live);
  }

  @Test
  void whatExpiresIsListedNoMore() throws Exception {
    String nonce = mint("ops = send", "1s").path("nonce").asText();
    String lasting = mint("ops = send", "1h").path("nonce").asText();
    Deadline.in(Duration.ofSeconds(30))
        .await(() -> listed(nonce).isEmpty(), () -> "the end of " + nonce);
    assertTrue(listed(lasting).isPresent());
  }

  @Test
  void theOperatorsOwnIsListedAndAStrangersRevocationToo() throws IOException {
    assertTrue(
        pages(1_000).stream().anyMatch(one -> one.path("minted_by").asText().equals("service")),
        "the one in operator.cap, which does not end");
    String unknown = mint("ops = send", "1h").path("nonce").asText().replace('0', '1');
    String stranger = unknown.substring(0, 31) + (unknown.endsWith("a") ? "b" : "a");
    operator.post("/v1/capabilities/revoke", Fields.of("nonce", stranger)).expect(200);
    JsonNode entry = listed(stranger).orElseThrow();
    assertTrue(entry.has("revoked_at"));
    assertFalse(entry.has("caveats"));
  }
}
