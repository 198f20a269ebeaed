package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.client.Tokens;
import org.svcmailbox.it.server.OnlyOnWildFly;

/**
 * Every route of the OpenAPI document with every kind of token. A route that is not in the
 * document, says no right, or has no sample call makes this fail, so none can be forgotten.
 */
@ContractTest
@ResourceLock(SampleCalls.JOBS)
@ResourceLock(SampleCalls.ACCESS)
class CapabilityMatrixIT {
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");
  private static final String ALL =
      "send,recv,ack,nack,extend,peek,dlq,dlq.view,dlq.edit,admin,audit,pause,revoke";
  private static final String OCTETS = "application/octet-stream";
  private static final String RENDEZVOUS = "/rendezvous/";
  private static final String OTHER_TOPIC = "topic = some.other.topic";

  private final MailboxClient operator;
  private final SampleCalls samples;

  /**
   * A route, the right it needs, and the topic it is called on.
   *
   * @param rights this one, and others that it needs too
   */
  private record Route(String name, String right, String rights, String topic) {}

  CapabilityMatrixIT(MailboxClient operator) {
    this.operator = operator;
    this.samples = new SampleCalls(operator);
  }

  private List<Route> routes() throws IOException {
    JsonNode document =
        new YAMLMapper().readTree(operator.with(null).get("/openapi").expect(200).text());
    List<Route> routes = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        if (METHODS.contains(operation.getKey()) && path.getKey().startsWith("/v1/")) {
          String name = operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
          String right = operation.getValue().at("/security/0/capability/0").asText();
          assertTrue(ALL.contains(right) && !right.isEmpty(), () -> name + " says no right");
          String topic = TestTopics.fresh("matrix");
          String rights =
              StreamSupport.stream(
                      operation.getValue().at("/security/0/capability").spliterator(), false)
                  .map(JsonNode::asText)
                  .collect(Collectors.joining(","));
          routes.add(new Route(name, right, rights, topic));
          if (operation.getValue().path("requestBody").path("content").has(OCTETS)) {
            routes.add(new Route(name + SampleCalls.OCTETS, right, rights, topic));
          }
        }
      }
    }
    return routes;
  }

  @Test
  void theDocumentHasTheRoutes() throws IOException {
    List<Route> routes = routes();
    assertTrue(routes.size() >= 14, () -> "only some");
    assertEquals(
        2, routes.stream().filter(route -> route.name().endsWith(SampleCalls.OCTETS)).count());
  }

  @TestFactory
  Stream<DynamicTest> everyRouteWithEveryKindOfToken() throws IOException {
    return tests(route -> !route.name().contains(RENDEZVOUS));
  }

  @TestFactory
  @OnlyOnWildFly("a rendezvous message counts once the kernel has it (`sent`)")
  Stream<DynamicTest> everyRouteOfTheRendezvousDoorWithEveryKindOfToken() throws IOException {
    return tests(route -> route.name().contains(RENDEZVOUS));
  }

  private Stream<DynamicTest> tests(Predicate<Route> selected) throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Route route : routes().stream().filter(selected).toList()) {
      add(tests, route, "no token", () -> null, "401 missing");
      add(tests, route, "garbage", () -> "garbage", "401 invalid");
      add(tests, route, "forged", () -> Tokens.forged(operator.mint()), "401 invalid");
      add(tests, route, "expired", this::expired, "401 expired");
      add(tests, route, "revoked", this::revoked, "401 revoked");
      String unseen = route.name().equals(SampleCalls.MESSAGE) ? "404" : "403 topic";
      add(tests, route, "wrong topic", () -> operator.mint(OTHER_TOPIC), unseen);
      add(tests, route, "wrong op", () -> operator.mint(without(route)), "403 operation");
      add(tests, route, "attenuated", () -> attenuated(route), "2");
      add(tests, route, "operator", operator::mint, "2");
    }
    assertFalse(tests.isEmpty(), "no route");
    return tests.stream();
  }

  @Test
  void aHolderWhoseCapabilityIsOverSettlesAndDoesNotExtend() throws IOException {
    String topic = TestTopics.fresh("matrix");
    String token = operator.mint();
    MailboxClient holder = operator.with(token);
    for (int i = 0; i < 4; i++) {
      holder.send(topic, "key" + i, new byte[1]).expect(200);
    }
    List<Message> held = holder.recvAll(Fields.of("topic", topic).with("visibility_ms", 60_000), 4);

    String ended = "expires < " + Instant.now().minusSeconds(1);
    settlesOnly(operator.with(Tokens.narrowed(token, ended)), "401 expired", held.subList(0, 2));
    operator.post("/v1/capabilities/revoke", Fields.of("capability", token)).expect(200);
    settlesOnly(holder, "401 revoked", held.subList(2, 4));
  }

  private static void settlesOnly(MailboxClient over, String denial, List<Message> held)
      throws IOException {
    assertEquals(denial, verdict(over.extend(held.get(0), Duration.ofSeconds(60))));
    over.ack(held.get(0)).expect(200);
    over.nack(held.get(1), Fields.NONE).expect(200);
  }

  private interface Token {
    @Nullable String make() throws IOException;
  }

  private void add(
      List<DynamicTest> tests, Route route, String kind, Token token, String expected) {
    tests.add(
        DynamicTest.dynamicTest(
            route.name() + " with " + kind, () -> check(route, token.make(), expected)));
  }

  private void check(Route route, @Nullable String token, String expected) throws IOException {
    MailboxAnswer answer = samples.call(route.name(), operator.with(token), route.topic());
    String got = verdict(answer);
    assertTrue(got.startsWith(expected), () -> got + " instead of " + expected);
    if (!got.startsWith("2")) {
      assertEquals(got.startsWith("401"), hasChallenge(answer), "WWW-Authenticate");
    }
  }

  /** Status and reason, of the only element where it is a batch. */
  private static String verdict(MailboxAnswer answer) {
    JsonNode error = answer.json().at("/results/0/error");
    return error.isMissingNode()
        ? answer.status() + " " + answer.reason()
        : error.path("status").asText() + " " + error.path("reason").asText();
  }

  /** A batch's elements have no headers of their own. */
  private static boolean hasChallenge(MailboxAnswer answer) {
    return answer.status() == 200
        ? verdict(answer).startsWith("401")
        : answer.header("WWW-Authenticate").isPresent();
  }

  /** Narrowed by the holder himself to what is over; no server is asked. */
  private String expired() throws IOException {
    return Tokens.narrowed(operator.mint(), "expires < " + Instant.now().minusSeconds(1));
  }

  private String revoked() throws IOException {
    String token = operator.mint();
    operator.post("/v1/capabilities/revoke", Fields.of("capability", token)).expect(200);
    return token;
  }

  /** Which right of another name will do, too. */
  private static final Map<String, String> WIDER =
      Map.of(
          "peek",
          "admin",
          "dlq.view",
          "dlq",
          "audit",
          "admin",
          "pause",
          "admin",
          "revoke",
          "admin");

  /** Everything but the right, and what will do in its place. */
  private static String without(Route route) {
    String wider = WIDER.get(route.right());
    Set<String> enough = wider == null ? Set.of(route.right()) : Set.of(route.right(), wider);
    return "ops = "
        + Stream.of(ALL.split(",", -1))
            .filter(right -> !enough.contains(right))
            .collect(Collectors.joining(","));
  }

  private String attenuated(Route route) throws IOException {
    String token = operator.mint();
    for (String caveat :
        List.of(
            "ops = " + route.rights(),
            "ip = 127.0.0.0/8",
            "rate = 100/s",
            "max_inflight = 5",
            "not_before > 2026-01-01T00:00:00Z")) {
      token = Tokens.narrowed(token, caveat);
    }
    return SampleCalls.isOfATopic(route.name())
        ? Tokens.narrowed(token, "topic = matrix.*")
        : token;
  }

  @Test
  void noPathUnderTheDoorsIsToldApartWithoutACapability() throws IOException {
    Map<String, Integer> statuses = new TreeMap<>();
    for (String path : List.of("/v1", "/v1/", "/v1/nothing", "/v1/topics/x/y/z")) {
      statuses.put(path, operator.with(null).get(path).status());
    }
    assertEquals(Set.of(401), Set.copyOf(statuses.values()), statuses::toString);
  }

  /** A node's is made with the root key alone; narrowing another one makes none. */
  @ParameterizedTest
  @ValueSource(strings = {"/v1/peer/calls", "/v1/peer/ready", "/v1/peer/state", "/v1/peer/groups"})
  void noCapabilityOfAClientIsANodes(String path) throws IOException {
    String minted = operator.mint();
    String narrowed = Tokens.narrowed(Tokens.narrowed(minted, "ops = peer"), "ip = 127.0.0.0/8");
    assertEquals(401, operator.with(null).post(path, Fields.of("calls", 1)).status());
    for (MailboxClient client : List.of(operator, operator.with(minted), operator.with(narrowed))) {
      MailboxAnswer answer = client.post(path, Fields.of("calls", 1)).expect(403);
      assertEquals("operation", answer.reason());
    }
  }
}
