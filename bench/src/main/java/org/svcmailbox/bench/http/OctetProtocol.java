package org.svcmailbox.bench.http;

import java.nio.charset.StandardCharsets;

/** SEND whose body is the payload itself; everything else is {@link MailboxProtocol}. */
public final class OctetProtocol extends MailboxProtocol {
  private static final String PAYLOAD =
      new String(LoadPayload.bytes(), StandardCharsets.ISO_8859_1);

  private final LoadTarget client;

  public OctetProtocol(LoadTarget client, LoadTarget operator) {
    super(client, operator);
    this.client = client;
  }

  @Override
  public HttpTemplate send(String queue, int batch) {
    if (batch > 1) {
      return super.send(queue, batch);
    }
    String headers =
        "Authorization: Bearer "
            + client.token()
            + "\r\nContent-Type: application/octet-stream\r\nMailbox-Topic: "
            + queue
            + "\r\nIdempotency-Key: "
            + HttpTemplate.KEY
            + "\r\n";
    return HttpTemplate.of(client.server(), "POST /v1/send", headers, PAYLOAD);
  }
}
