package org.svcmailbox.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.Sent;

/** The calls that are repeated. */
final class Endpoints {
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
              Json.required(result, "msg_id").asText(),
              Json.required(result, "duplicate").asBoolean());
        }
      };

  /**
   * A repeated ACK of what is acknowledged was done. A 404 is no proof: after a restart the service
   * does not find a message that waits behind others, or for its next delivery.
   */
  static final Endpoint<Boolean> ACK =
      new Settlement("ack", "acks", Endpoints::isAcknowledged, false);

  /** A repeated NACK that no longer meets its lease was done, or the lease ran out since. */
  static final Endpoint<Boolean> NACK =
      new Settlement(
          "nack", "nacks", problem -> isUnknownDelivery(problem) || problem.status() == 410, false);

  /** As NACK, but into the dead letters: a lost lease may mean that the message is elsewhere. */
  static final Endpoint<Boolean> REJECT = new Settlement("nack", "nacks", problem -> false, false);

  static final Endpoint<Boolean> EXTEND =
      new Settlement("extend", "extends", problem -> false, false);

  /** An extension by a heartbeat. */
  static final Endpoint<Boolean> HEARTBEAT =
      new Settlement("extend", "extends", problem -> false, true);

  private Endpoints() {}

  /** A call whose answer is taken as it is. */
  static Endpoint<JsonNode> plain(String path) {
    return new PlainCall<>("POST", path, json -> json);
  }

  /** As {@link #plain}, for a call that replaces what the path names. */
  static Endpoint<JsonNode> replacement(String path) {
    return new PlainCall<>("PUT", path, json -> json);
  }

  /** As {@link #plain}, for a call that changes a part of what the path names. */
  static Endpoint<JsonNode> change(String path) {
    return new PlainCall<>("PATCH", path, json -> json);
  }

  /** Deletes what the path names. If it is gone after a lost answer, the call was done. */
  static Endpoint<JsonNode> removal(String path) {
    return new Removal(path);
  }

  private record Removal(String path) implements Endpoint<JsonNode> {
    @Override
    public String method() {
      return "DELETE";
    }

    @Override
    public String elements() {
      throw new UnsupportedOperationException("there is no batch of " + path);
    }

    @Override
    public JsonNode read(JsonNode result) {
      return result;
    }

    @Override
    public Reading<JsonNode> read(
        String call, Problem problem, @Nullable MailboxConnectionException lost) {
      return lost != null && problem.status() == 404
          ? new Done<>(Json.MAPPER.createObjectNode().put("ok", true))
          : Endpoint.super.read(call, problem, lost);
    }
  }

  /** How many messages a topic holds. */
  static Endpoint<Long> count(String topic) {
    return new PlainCall<>(
        "POST",
        "/v1/topics/" + topic,
        json ->
            Json.required(json, "ready").asLong()
                + Json.required(json, "inflight").asLong()
                + Json.required(json, "delayed").asLong());
  }

  /** Deletes what is ready or delayed. */
  static Endpoint<Long> purge(String topic) {
    return new PlainCall<>(
        "POST", "/v1/topics/" + topic + "/purge", json -> Json.required(json, "purged").asLong());
  }

  /** The service knows no delivery of this message; an unknown path is also a 404. */
  private static boolean isUnknownDelivery(Problem problem) {
    return problem.status() == 404 && problem.msgId() != null;
  }

  private static boolean isAcknowledged(Problem problem) {
    return problem.status() == 410 && problem.why() == Why.ACKNOWLEDGED;
  }

  private record Settlement(
      String name,
      String elements,
      Function<Problem, Boolean> isDoneIfRepeated,
      boolean isHeartbeat)
      implements Endpoint<Boolean> {
    @Override
    public String path() {
      return "/v1/" + name;
    }

    @Override
    public Boolean read(JsonNode result) throws IOException {
      return Json.required(result, "ok").asBoolean();
    }

    @Override
    public Reading<Boolean> read(
        String call, Problem problem, @Nullable MailboxConnectionException lost) {
      if (lost != null && isDoneIfRepeated.apply(problem)) {
        return new Done<>(true);
      }
      if (isUnknownDelivery(problem) || problem.status() == 410) {
        String id = problem.msgId() == null ? "" : problem.msgId();
        return new Refused<>(
            Failure.refused(new ReceiptHandleExpiredException(id, problem.why(), lost)));
      }
      return Endpoint.super.read(call, problem, lost);
    }
  }

  private interface Reader<A> {
    A read(JsonNode json) throws IOException;
  }

  private record PlainCall<A>(String method, String path, Reader<A> reader) implements Endpoint<A> {
    @Override
    public String elements() {
      throw new UnsupportedOperationException("there is no batch of " + path);
    }

    @Override
    public A read(JsonNode result) throws IOException {
      return reader.read(result);
    }
  }
}
