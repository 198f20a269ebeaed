package org.svcmailbox.bench.http;

import java.util.List;

/** The JSON protocol of the service. */
public class MailboxProtocol implements HttpProtocol {
  private static final int VISIBILITY_MILLIS = 60_000;

  private final LoadTarget client;
  private final LoadTarget operator;

  /**
   * @param client target that sends and receives
   * @param operator target that creates and deletes topics
   */
  public MailboxProtocol(LoadTarget client, LoadTarget operator) {
    this.client = client;
    this.operator = operator;
  }

  @Override
  public HttpTemplate create(String queue) {
    return request(operator, "PUT /v1/topics/" + queue, "{}");
  }

  @Override
  public HttpTemplate send(String queue, int batch) {
    return batch == 1
        ? request(client, "POST /v1/send", Messages.one(queue, HttpTemplate.KEY))
        : request(
            client, "POST /v1/send/batch", Messages.batch(queue, batch, i -> HttpTemplate.KEY));
  }

  @Override
  public String failure() {
    return "\"error\"";
  }

  @Override
  public ReceiveTemplate take(String queue, int batch) {
    String recv =
        "{\"topic\":\"%s\",\"max_messages\":%d,\"visibility_ms\":%d}"
            .formatted(queue, batch, VISIBILITY_MILLIS);
    String path = batch == 1 ? "POST /v1/ack" : "POST /v1/ack/batch";
    return new ReceiveTemplate(
        request(client, "POST /v1/recv", recv),
        List.of("\"msg_id\":\"", "\"receipt\":\""),
        "\"messages\":[]",
        failure(),
        HttpTemplate.head(client.server(), path, headers(client)),
        batch == 1 ? "" : "{\"acks\":[",
        batch == 1 ? "" : "]}",
        List.of("{\"msg_id\":\"", "\",\"receipt\":\"", "\"}"),
        ",");
  }

  @Override
  public HttpTemplate delete(String queue) {
    return request(operator, "DELETE /v1/topics/" + queue, "");
  }

  private static HttpTemplate request(LoadTarget as, String target, String json) {
    return HttpTemplate.of(as.server(), target, headers(as), json);
  }

  private static String headers(LoadTarget as) {
    return "Authorization: Bearer " + as.token() + "\r\nContent-Type: application/json\r\n";
  }
}
