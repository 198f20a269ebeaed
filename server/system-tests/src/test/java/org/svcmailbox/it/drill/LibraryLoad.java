package org.svcmailbox.it.drill;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.drill.MailboxDrill;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/** The client library on a topic of its own: two senders and a worker loop. */
final class LibraryLoad implements AutoCloseable {
  private static final LoadTopic TOPIC = new LoadTopic("library", 2, 1_000);

  /** Shorter than a restart: what was under way at a kill ends with {@code UNKNOWN}. */
  private static final Duration IMPATIENT = Duration.ofSeconds(1);

  /** Longer than a restart. */
  private static final Duration PATIENT = Duration.ofSeconds(60);

  private static final Duration LEASE = Duration.ofSeconds(2);

  private final URI service;
  private final TokenSource token;
  private final HttpConnections connections = HttpConnections.builder().build();
  private final List<HttpMailbox<byte[], byte[]>> mailboxes;
  private final MailboxDrill drill;

  LibraryLoad(MailboxServer server, HistoryRecorder recorder, Random random) {
    this.service = server.uri();
    this.token = TokenSource.file(server.operatorFile());
    this.mailboxes = List.of(mailbox(IMPATIENT), mailbox(PATIENT));
    this.drill = new MailboxDrill("library", mailboxes, mailboxes.get(1), LEASE, recorder, random);
  }

  private HttpMailbox<byte[], byte[]> mailbox(Duration sendTimeout) {
    return HttpMailbox.builder(service, token, TOPIC.name(), Codecs.bytes(), Codecs.bytes())
        .connections(connections)
        .sendTimeout(sendTimeout)
        .build();
  }

  /** Makes the topic and starts. */
  void start(MailboxClient operator) throws IOException {
    operator.putTopic(TOPIC.name(), TOPIC.settings()).expect(201);
    drill.start();
  }

  /** Lets every send be answered and every message be handled. */
  TopicEnd drain() throws InterruptedException {
    return drill.drain();
  }

  /** The faults that draining left, other than those in the history. */
  List<String> findings() {
    return drill.findings();
  }

  /** How many sends ended with {@code UNKNOWN}. */
  long unknown() {
    return drill.unknown();
  }

  @Override
  public String toString() {
    return drill.accepted() + " messages of the library, " + unknown() + " sends UNKNOWN";
  }

  /** Stops it, whatever it is doing. */
  @Override
  public void close() {
    drill.close();
    mailboxes.forEach(HttpMailbox::close);
  }
}
