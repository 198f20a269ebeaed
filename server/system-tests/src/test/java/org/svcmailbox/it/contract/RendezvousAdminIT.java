package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.OnlyOnWildFly;

/** Operators change tokens and access rules, and the door follows at once. */
@ContractTest
@ResourceLock(SampleCalls.ACCESS)
@OnlyOnWildFly("a rendezvous message counts once the kernel has it (`sent`)")
class RendezvousAdminIT {
  private static final String TOKENS = "/v1/rendezvous/tokens";
  private static final String ACCESS = "/v1/rendezvous/access";
  private static final int PORT = 8090;
  private static final Fields RULES =
      Fields.of("allow", List.of())
          .with("posts_per_minute", 600)
          .with("gets_per_minute", 600)
          .with("window_seconds", 60);

  private final HttpClient http = HttpClient.newHttpClient();
  private final MailboxServer server;
  private final MailboxClient operator;
  private final String mailbox = Recipients.fresh();
  private final List<String> secrets = new ArrayList<>();

  RendezvousAdminIT(MailboxServer server) {
    this.server = server;
    this.operator = new MailboxClient(server.target());
  }

  private JsonNode noted(JsonNode issued) {
    secrets.add(issued.path("token").asText());
    return issued;
  }

  private JsonNode make(String... rights) throws IOException {
    Fields request = Fields.of("rights", List.of(rights)).with("mailbox", mailbox);
    return noted(operator.post(TOKENS, request).expect(201).json());
  }

  private int post(JsonNode token) throws Exception {
    return door(token, "POST");
  }

  private int door(JsonNode token, String method) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port(PORT) + "/v1/mailbox/" + mailbox);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .method(
                method,
                method.equals("POST") ? BodyPublishers.ofString("x") : BodyPublishers.noBody())
            .header("Authorization", "Bearer " + token.path("token").asText())
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  private void access(List<String> blocked) throws IOException {
    operator.call("PUT", ACCESS, RULES.with("block", blocked)).expect(200);
  }

  /** A token or a whole recipient is in nothing that the server wrote. */
  @AfterEach
  void nothingIsWrittenDown() throws IOException {
    String audit = operator.get("/v1/audit?action=rendezvous.*&limit=10000").expect(200).text();
    for (String text : List.of(audit, String.join("\n", server.outputLines()))) {
      secrets.forEach(secret -> assertFalse(text.contains(secret), "a token"));
      assertFalse(text.contains(mailbox.substring(0, 9)), "nine digits of a recipient");
    }
  }

  @Test
  void aTokenOpensTheDoorForItsRightUntilItIsRemoved() throws Exception {
    JsonNode poster = make("post");
    assertEquals(202, post(poster));
    assertEquals(403, door(poster, "GET"));
    assertEquals(200, door(make("get"), "GET"));
    String id = poster.path("id").asText();
    operator.call("DELETE", TOKENS + "/" + id, Fields.NONE).expect(200);
    assertEquals(403, post(poster));
    operator.call("DELETE", TOKENS + "/" + id, Fields.NONE).expect(404);
    String audit = operator.get("/v1/audit?subject=" + id).expect(200).text();
    assertTrue(audit.contains("rendezvous.token.add") && audit.contains("rendezvous.token.remove"));
    assertTrue(audit.contains(mailbox.substring(0, 8)));
  }

  @Test
  void bothTokensOfARotationAreGoodUntilTheOverlapIsOver() throws Exception {
    JsonNode old = make("post");
    String path = TOKENS + "/" + old.path("id").asText() + "/rotate";
    JsonNode fresh = noted(operator.post(path, Fields.of("overlap", "10m")).expect(201).json());
    assertEquals(mailbox, fresh.path("mailbox").asText());
    assertEquals(202, post(old));
    assertEquals(202, post(fresh));
    String next = TOKENS + "/" + fresh.path("id").asText() + "/rotate";
    JsonNode last = noted(operator.post(next, Fields.of("overlap", "0s")).expect(201).json());
    assertEquals(403, post(fresh));
    assertEquals(202, post(last));
  }

  @Test
  void tokensAreListedInPagesWithoutSecrets() throws IOException {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      made.add(make("post").path("id").asText());
    }
    List<String> listed = new ArrayList<>();
    String query = "?limit=2";
    while (!query.isEmpty()) {
      JsonNode page = operator.get(TOKENS + query).expect(200).json();
      page.path("tokens").forEach(one -> listed.add(one.path("id").asText()));
      secrets.forEach(secret -> assertFalse(page.toString().contains(secret)));
      String next = page.path("next_cursor").asText();
      query = next.isEmpty() ? "" : "?limit=2&cursor=" + next;
    }
    assertEquals(listed.stream().sorted().distinct().toList(), listed);
    assertTrue(listed.containsAll(made));
  }

  @Test
  void aMailboxHasAtMostEightTokens() throws IOException {
    for (int i = 0; i < 8; i++) {
      make("post");
    }
    Fields ninth = Fields.of("rights", List.of("post")).with("mailbox", mailbox);
    assertEquals("rendezvous_tokens", operator.post(TOKENS, ninth).expect(429).reason());
  }

  @Test
  void aBlockedAddressIsRefusedFromTheNextRequestOn() throws Exception {
    JsonNode token = make("post");
    access(List.of());
    assertEquals(202, post(token));
    access(List.of("127.0.0.0/8"));
    assertEquals(403, post(token));
    JsonNode rules = operator.get(ACCESS).expect(200).json();
    assertEquals("[\"127.0.0.0/8\"]", rules.path("block").toString());
    access(List.of());
    assertEquals(202, post(token));
  }

  @Test
  void rulesOutOfBoundsChangeNothing() throws IOException {
    access(List.of());
    Fields wrong = RULES.with("block", List.of()).with("window_seconds", 0);
    assertEquals(
        List.of("window_seconds"), operator.call("PUT", ACCESS, wrong).expect(400).fields());
    assertEquals(60, operator.get(ACCESS).expect(200).json().path("window_seconds").asInt());
  }

  @Test
  void theFirstTokenIsItsOwnersOnly() throws Exception {
    Path file = server.data().resolve("mailbox/rendezvous.token");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    String token = Files.readString(file).strip();
    secrets.add(token);
    assertEquals(202, post(JsonNodeFactory.instance.objectNode().put("token", token)));
  }
}
