package org.svcmailbox.bench.load;

import java.io.IOException;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.HttpProtocol;
import org.svcmailbox.bench.http.LoadTarget;

/** A sender over one HTTP connection. */
public final class HttpSender implements Sender {
  private final HttpConnection connection;
  private final HttpProtocol protocol;
  private final String queue;
  private final int number;
  private int sent;

  public HttpSender(LoadTarget target, HttpProtocol protocol, String queue, int number)
      throws IOException {
    this.connection = new HttpConnection(target);
    this.protocol = protocol;
    this.queue = queue;
    this.number = number;
  }

  @Override
  public void send(int messages) throws IOException {
    byte[] request = protocol.send(queue, messages).bytes(this::key);
    String answer = connection.exchange("SEND", request);
    if (answer.contains(protocol.failure())) {
      throw new IOException("not every message was accepted: " + answer);
    }
  }

  private String key() {
    return "%04d%08d".formatted(number, sent++);
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
