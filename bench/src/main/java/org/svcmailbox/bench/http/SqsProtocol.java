package org.svcmailbox.bench.http;

import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The JSON protocol of Amazon SQS. */
public final class SqsProtocol implements HttpProtocol {
  private static final int VISIBILITY_SECONDS = 60;

  private final URI server;

  public SqsProtocol(URI server) {
    this.server = server;
  }

  @Override
  public HttpTemplate create(String queue) {
    return request("CreateQueue", "{\"QueueName\":\"" + name(queue) + "\"}");
  }

  @Override
  public HttpTemplate send(String queue, int batch) {
    return batch == 1
        ? request("SendMessage", "{" + url(queue) + "," + message() + "}")
        : request("SendMessageBatch", "{" + url(queue) + ",\"Entries\":[" + entries(batch) + "]}");
  }

  @Override
  public String failure() {
    return "\"Failed\"";
  }

  @Override
  public ReceiveTemplate take(String queue, int batch) {
    String receive =
        "{%s,\"MaxNumberOfMessages\":%d,\"VisibilityTimeout\":%d}"
            .formatted(url(queue), batch, VISIBILITY_SECONDS);
    String operation = batch == 1 ? "DeleteMessage" : "DeleteMessageBatch";
    return new ReceiveTemplate(
        request("ReceiveMessage", receive),
        batch == 1
            ? List.of("\"ReceiptHandle\":\"")
            : List.of("\"MessageId\":\"", "\"ReceiptHandle\":\""),
        "\"Messages\":[]",
        failure(),
        HttpTemplate.head(server, "POST /", headers(operation)),
        batch == 1 ? "{" + url(queue) : "{" + url(queue) + ",\"Entries\":[",
        batch == 1 ? "}" : "]}",
        batch == 1
            ? List.of(",\"ReceiptHandle\":\"", "\"")
            : List.of("{\"Id\":\"", "\",\"ReceiptHandle\":\"", "\"}"),
        ",");
  }

  @Override
  public HttpTemplate delete(String queue) {
    return request("DeleteQueue", "{" + url(queue) + "}");
  }

  private static String entries(int batch) {
    return IntStream.range(0, batch)
        .mapToObj(i -> "{\"Id\":\"" + i + "\"," + message() + "}")
        .collect(Collectors.joining(","));
  }

  private static String message() {
    return "\"MessageBody\":\"" + LoadPayload.BASE64 + "\"";
  }

  private String url(String queue) {
    return "\"QueueUrl\":\"" + server + "/000000000000/" + name(queue) + "\"";
  }

  /** SQS allows no dots in names. */
  private static String name(String queue) {
    return queue.replace('.', '-');
  }

  private HttpTemplate request(String operation, String json) {
    return HttpTemplate.of(server, "POST /", headers(operation), json);
  }

  public static String headers(String operation) {
    return "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS."
        + operation
        + "\r\n";
  }
}
