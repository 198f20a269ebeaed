package org.svcmailbox.bench.http;

/** Requests in the protocol of one contestant. */
public interface HttpProtocol {
  HttpTemplate create(String queue);

  /** SEND of {@code batch} messages, with {@link HttpTemplate#KEY} where the protocol has keys. */
  HttpTemplate send(String queue, int batch);

  /** Text that an answer contains only if a message was refused. */
  String failure();

  /** RECV of up to {@code batch} messages, and their acknowledgement. */
  ReceiveTemplate take(String queue, int batch);

  HttpTemplate delete(String queue);
}
