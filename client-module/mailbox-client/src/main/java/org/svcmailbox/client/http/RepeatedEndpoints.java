package org.svcmailbox.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Reading;
import org.svcmailbox.client.service.ServiceProblem;
import org.svcmailbox.client.service.Settling;

/** The calls that are repeated. */
final class RepeatedEndpoints {
  static final Endpoint<Sent> SEND =
      new Endpoint<>() {
        @Override
        public String path() {
          return "/v1/send";
        }

        @Override
        public String elements() {
          return "messages";
        }

        @Override
        public Sent read(JsonNode result) throws IOException {
          return new Sent(
              HttpJson.required(result, "msg_id").asText(),
              HttpJson.required(result, "duplicate").asBoolean());
        }
      };

  static final Endpoint<Boolean> ACK = new Settlement("ack", "acks", Settling.ACK, false);

  static final Endpoint<Boolean> NACK = new Settlement("nack", "nacks", Settling.NACK, false);

  static final Endpoint<Boolean> REJECT = new Settlement("nack", "nacks", Settling.REJECT, false);

  static final Endpoint<Boolean> EXTEND =
      new Settlement("extend", "extends", Settling.EXTEND, false);

  /** An extension by a heartbeat. */
  static final Endpoint<Boolean> HEARTBEAT =
      new Settlement("extend", "extends", Settling.EXTEND, true);

  private RepeatedEndpoints() {}

  static Endpoint<Boolean> of(Settling kind) {
    return switch (kind) {
      case ACK -> ACK;
      case NACK -> NACK;
      case REJECT -> REJECT;
      case EXTEND -> EXTEND;
    };
  }

  /** A call whose answer is returned unchanged. */
  static Endpoint<JsonNode> call(String method, String path) {
    return new PlainCall<>(method, path, Map.of(), json -> json, null);
  }

  /** The same under a condition, which a repeat of what was done no longer meets. */
  static Endpoint<JsonNode> call(String method, String path, String condition, String value) {
    return new PlainCall<>(method, path, Map.of(condition, value), json -> json, null);
  }

  /** Deletes what the path names. If it is gone after a lost answer, the call was done. */
  static Endpoint<JsonNode> removal(String path) {
    return new PlainCall<>(
        "DELETE", path, Map.of(), json -> json, HttpJson.MAPPER.createObjectNode().put("ok", true));
  }

  /** How many messages a topic holds. */
  static Endpoint<Long> count(String topic) {
    return new PlainCall<>(
        "POST",
        "/v1/topics/" + topic,
        Map.of(),
        json ->
            HttpJson.required(json, "ready").asLong()
                + HttpJson.required(json, "inflight").asLong()
                + HttpJson.required(json, "delayed").asLong(),
        null);
  }

  /** Deletes what is ready or delayed. */
  static Endpoint<Long> purge(String topic) {
    return new PlainCall<>(
        "POST",
        "/v1/topics/" + topic + "/purge",
        Map.of(),
        json -> HttpJson.required(json, "purged").asLong(),
        null);
  }

  private record Settlement(String name, String elements, Settling kind, boolean isHeartbeat)
      implements Endpoint<Boolean> {
    @Override
    public String path() {
      return "/v1/" + name;
    }

    @Override
    public Boolean read(JsonNode result) throws IOException {
      return HttpJson.required(result, "ok").asBoolean();
    }

    @Override
    public Reading<Boolean> read(
        String call, ServiceProblem problem, @Nullable MailboxConnectionException lost) {
      return kind.read(problem, lost, () -> Failure.of(call, problem.status(), problem));
    }
  }

  private interface Reader<A> {
    A read(JsonNode json) throws IOException;
  }

  /**
   * A call that has no batch.
   *
   * @param ifGone the answer for a repeat whose 404 says that an earlier attempt was done; null for
   *     a call that leaves what it names
   */
  private record PlainCall<A>(
      String method, String path, Map<String, String> headers, Reader<A> reader, @Nullable A ifGone)
      implements Endpoint<A> {
    @Override
    public String elements() {
      throw new UnsupportedOperationException("there is no batch of " + path);
    }

    @Override
    public A read(JsonNode result) throws IOException {
      return reader.read(result);
    }

    @Override
    public Reading<A> read(
        String call, ServiceProblem problem, @Nullable MailboxConnectionException lost) {
      return lost != null && ifGone != null && problem.status() == 404
          ? new Reading.Done<>(ifGone)
          : Endpoint.super.read(call, problem, lost);
    }
  }
}
