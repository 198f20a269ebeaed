package org.svcmailbox.bench;

/** The requests of a contestant that is called over HTTP. */
interface HttpProtocol {
  /** A new queue. */
  HttpTemplate create(String queue);

  /** SEND of so many messages, each with a place for its key if it has one. */
  HttpTemplate send(String queue, int batch);

  /** What the answer to a SEND has in it when not all messages were accepted. */
  String failure();

  /** RECV of so many messages, and what acknowledges them. */
  Taking take(String queue, int batch);

  /** An end to a queue. */
  HttpTemplate delete(String queue);
}
