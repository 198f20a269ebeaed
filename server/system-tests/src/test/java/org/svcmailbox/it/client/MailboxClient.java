package org.svcmailbox.it.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * A client of one server. Calls block, and may be made by any number of threads; one that gets no
 * answer throws {@link IOException}, and whether it was done is then unknown.
 */
public final class MailboxClient {
  /** Longer than the longest long poll. */
  private static final Duration ANSWER = Duration.ofSeconds(40);

  private static final Duration CAUGHT_UP = Duration.ofSeconds(60);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient http;
  private final CallTarget target;
  private final Map<String, String> headers;

  public MailboxClient(CallTarget target) {
    this(
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build(),
        target,
        Map.of());
  }

  private MailboxClient(HttpClient http, CallTarget target, Map<String, String> headers) {
    this.http = http;
    this.target = target;
    this.headers = headers;
  }

  /** The server it calls, and its capability. */
  public CallTarget target() {
    return target;
  }

  /** The same client with another capability, or without any; connections are shared. */
  public MailboxClient with(@Nullable String token) {
    return new MailboxClient(http, target.with(token), headers);
  }

  /** The same client with more headers on every call. */
  public MailboxClient withHeaders(Map<String, String> more) {
    return new MailboxClient(http, target, more);
  }

  /** Mints a capability with this client's own. */
  public String mint(String... caveats) throws IOException {
    return minted(Fields.of("caveats", List.of(caveats)));
  }

  /** The same with a note, which names the holder. */
  public String mintNamed(String note, String... caveats) throws IOException {
    return minted(Fields.of("caveats", List.of(caveats)).with("note", note));
  }

  private String minted(Fields what) throws IOException {
    Fields request = what.with("expires_in", "1h");
    return post("/v1/capabilities", request).expect(201).json().path("capability").asText();
  }

  public MailboxAnswer send(String topic, String idemKey, byte[] payload) throws IOException {
    return send(Fields.send(topic, idemKey, payload));
  }

  public MailboxAnswer send(Fields message) throws IOException {
    return post("/v1/send", message);
  }

  public MailboxAnswer sendBatch(List<Fields> messages) throws IOException {
    return post("/v1/send/batch", Fields.of("messages", messages));
  }

  public MailboxAnswer recv(String topic) throws IOException {
    return recv(Fields.of("topic", topic));
  }

  public MailboxAnswer recv(Fields request) throws IOException {
    return post("/v1/recv", request);
  }

  /**
   * Receives until there are so many messages, which takes several calls when they are in several
   * shards or still on their way to them.
   *
   * @param request one call, with a {@code wait_ms}
   */
  public List<Message> recvAll(Fields request, int messages) throws IOException {
    List<Message> all = new ArrayList<>();
    while (all.size() < messages) {
      List<Message> some = recv(request).expect(200).messages();
      if (some.isEmpty()) {
        throw new AssertionError(all.size() + " messages instead of " + messages);
      }
      all.addAll(some);
    }
    return all;
  }

  public MailboxAnswer ack(Message message) throws IOException {
    return ack(message.msgId(), message.receipt());
  }

  public MailboxAnswer ack(String msgId, @Nullable String receipt) throws IOException {
    return post("/v1/ack", settle(msgId, receipt));
  }

  public MailboxAnswer ackBatch(List<Message> messages) throws IOException {
    List<Fields> acks =
        messages.stream().map(message -> settle(message.msgId(), message.receipt())).toList();
    return post("/v1/ack/batch", Fields.of("acks", acks));
  }

  public MailboxAnswer nack(Message message, Fields more) throws IOException {
    return post(
        "/v1/nack", more.with("msg_id", message.msgId()).with("receipt", message.receipt()));
  }

  public MailboxAnswer extend(Message message, Duration visibility) throws IOException {
    return post(
        "/v1/extend",
        settle(message.msgId(), message.receipt()).with("visibility_ms", visibility.toMillis()));
  }

  public MailboxAnswer putTopic(String topic, Fields settings) throws IOException {
    return call("PUT", "/v1/topics/" + topic, json(settings.text()));
  }

  /** Changes settings of a topic; {@code reset} names those that follow the service's again. */
  public MailboxAnswer changeTopic(String topic, Fields settings, String reset) throws IOException {
    String query = reset.isEmpty() ? "" : "?reset=" + reset;
    return call("PATCH", "/v1/topics/" + topic + query, json(settings.text()));
  }

  public MailboxAnswer topic(String topic) throws IOException {
    return get("/v1/topics/" + topic);
  }

  public MailboxAnswer topics() throws IOException {
    return get("/v1/topics");
  }

  /** The entries of all topics, page by page. */
  public List<JsonNode> everyTopic(int pageSize) throws IOException {
    List<JsonNode> topics = new ArrayList<>();
    String query = "?limit=" + pageSize;
    while (true) {
      JsonNode page = get("/v1/topics" + query).expect(200).json();
      page.path("topics").forEach(topics::add);
      if (!page.has("next_cursor")) {
        return topics;
      }
      query = "?limit=" + pageSize + "&cursor=" + page.path("next_cursor").asText();
    }
  }

  /** The verdict on a ledger, as soon as the database has all entries. */
  public JsonNode verify(String topic, int shard) {
    String path = "/v1/topics/" + topic + "/ledger/verify?shard=" + shard;
    MailboxAnswer[] answer = new MailboxAnswer[1];
    Deadline.in(CAUGHT_UP)
        .await(
            () -> {
              answer[0] = get(path);
              return answer[0].status() != 503;
            },
            () -> answer[0].text());
    return answer[0].expect(200).json();
  }

  public MailboxAnswer deleteTopic(String topic) throws IOException {
    return call("DELETE", "/v1/topics/" + topic, BodyPublishers.noBody());
  }

  public MailboxAnswer get(String path) throws IOException {
    return call("GET", path, BodyPublishers.noBody());
  }

  public MailboxAnswer post(String path, Fields body) throws IOException {
    return post(path, body.text());
  }

  /** Posts a body as it is, which need not be JSON. */
  public MailboxAnswer post(String path, String body) throws IOException {
    return call("POST", path, json(body));
  }

  /** Makes any call with a JSON body, which a GET or DELETE goes without. */
  public MailboxAnswer call(String method, String path, Fields body) throws IOException {
    boolean isBare = method.equals("GET") || method.equals("DELETE");
    return call(method, path, isBare ? BodyPublishers.noBody() : json(body.text()));
  }

  /** Makes any call; a body is declared as JSON, whatever it is. */
  public MailboxAnswer call(String method, String path, BodyPublisher body) throws IOException {
    return call(method, path, "application/json", body);
  }

  /** Posts bytes that are declared as such. */
  MailboxAnswer octets(String path, byte[] body) throws IOException {
    return call("POST", path, "application/octet-stream", BodyPublishers.ofByteArray(body));
  }

  private MailboxAnswer call(String method, String path, String type, BodyPublisher body)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target.server().resolve(path))
            .timeout(ANSWER)
            .header("Content-Type", type)
            .method(method, body);
    headers.forEach(request::header);
    String token = target.token().get();
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return answer(exchange(request.build()));
  }

  private HttpResponse<byte[]> exchange(HttpRequest request) throws IOException {
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private static MailboxAnswer answer(HttpResponse<byte[]> response) {
    String text = new String(response.body(), StandardCharsets.UTF_8);
    return new MailboxAnswer(
        response.statusCode(),
        response.headers(),
        parsed(text),
        text,
        Payload.owning(response.body()));
  }

  private static JsonNode parsed(String body) {
    try {
      return body.isEmpty() ? MissingNode.getInstance() : MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      // The text is kept: a test that expects JSON sees what came instead.
      return MissingNode.getInstance();
    }
  }

  private static Fields settle(String msgId, @Nullable String receipt) {
    Fields fields = Fields.of("msg_id", msgId);
    return receipt == null ? fields : fields.with("receipt", receipt);
  }

  private static BodyPublisher json(String text) {
    return BodyPublishers.ofString(text, StandardCharsets.UTF_8);
  }
}
