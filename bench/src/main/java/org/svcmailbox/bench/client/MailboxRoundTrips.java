package org.svcmailbox.bench.client;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;

/** Round trips through a mailbox of the client library, which several threads may share. */
final class MailboxRoundTrips extends RoundTrips {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final Mailbox<byte[], byte[]> mailbox;
  private final byte[] body = LoadPayload.bytes();

  MailboxRoundTrips(Mailbox<byte[], byte[]> mailbox) {
    this.mailbox = mailbox;
  }

  @Override
  void once() {
    mailbox.send(body);
    List<Message<byte[], byte[]>> messages = mailbox.receive(1, LEASE, WAIT);
    if (messages.isEmpty()) {
      throw new IllegalStateException("a message that was sent is missing");
    }
    messages.get(0).acknowledge();
  }
}
