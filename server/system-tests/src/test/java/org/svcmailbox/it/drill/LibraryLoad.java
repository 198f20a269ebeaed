package org.svcmailbox.it.drill;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.drill.MailboxDrill;
import org.svcmailbox.client.grpc.GrpcConnections;
import org.svcmailbox.client.grpc.GrpcMailbox;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/** The client library on a topic of its own: two senders and a worker loop. */
final class LibraryLoad implements AutoCloseable {
  /** Shorter than a restart: what was under way at a kill ends with {@code UNKNOWN}. */
  private static final Duration IMPATIENT = Duration.ofSeconds(1);

  /** Longer than a restart. */
  private static final Duration PATIENT = Duration.ofSeconds(60);

  private static final Duration LEASE = Duration.ofSeconds(2);

  private final LoadTopic topic;
  private final List<Mailbox<byte[], byte[]>> mailboxes;
  private final List<Runnable> ends;
  private final MailboxDrill drill;

  /**
   * @param made makes a mailbox on a topic with a send timeout
   * @param ends close what they share
   */
  private LibraryLoad(
      String name,
      BiFunction<String, Duration, Mailbox<byte[], byte[]>> made,
      List<Runnable> ends,
      HistoryRecorder recorder,
      Random random) {
    this.topic = new LoadTopic(name, 2, 1_000);
    this.mailboxes = List.of(made.apply(name, IMPATIENT), made.apply(name, PATIENT));
    this.ends = ends;
    this.drill = new MailboxDrill(name, mailboxes, mailboxes.get(1), LEASE, recorder, random);
  }

  /** Over HTTP; the loop polls. */
  static LibraryLoad polling(MailboxServer server, HistoryRecorder recorder, Random random) {
    return overHttp("polling", server, recorder, random, builder -> {});
  }

  /** Over HTTP; the loop receives by a stream. */
  static LibraryLoad streaming(MailboxServer server, HistoryRecorder recorder, Random random) {
    return overHttp("streaming", server, recorder, random, HttpMailbox.Builder::streaming);
  }

  private static LibraryLoad overHttp(
      String name,
      MailboxServer server,
      HistoryRecorder recorder,
      Random random,
      Consumer<HttpMailbox.Builder<byte[], byte[]>> change) {
    HttpConnections shared = HttpConnections.builder().build();
    TokenSource token = TokenSource.file(server.operatorFile());
    return new LibraryLoad(
        name,
        (topic, timeout) -> {
          var builder =
              HttpMailbox.builder(server.uri(), token, topic, Codecs.bytes(), Codecs.bytes())
                  .connections(shared)
                  .sendTimeout(timeout);
          change.accept(builder);
          return builder.build();
        },
        List.of(shared::close),
        recorder,
        random);
  }

  /** Over gRPC, with a stream. */
  static LibraryLoad grpc(MailboxServer server, HistoryRecorder recorder, Random random) {
    HttpConnections administration = HttpConnections.builder().build();
    GrpcConnections shared =
        GrpcConnections.builder(URI.create("http://127.0.0.1:" + server.port(GrpcClient.PORT)))
            .build();
    TokenSource token = TokenSource.file(server.operatorFile());
    return new LibraryLoad(
        "grpc",
        (topic, timeout) ->
            GrpcMailbox.builder(shared, token, topic, Codecs.bytes(), Codecs.bytes())
                .administration(server.uri(), administration)
                .sendTimeout(timeout)
                .build(),
        List.of(shared::close, administration::close),
        recorder,
        random);
  }

  /** Makes the topic and starts. */
  void start(MailboxClient operator) throws IOException {
    operator.putTopic(topic.name(), topic.settings()).expect(201);
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

  /** How many messages were accepted so far. */
  long accepted() {
    return drill.accepted();
  }

  /** How many sends ended with {@code UNKNOWN}. */
  long unknown() {
    return drill.unknown();
  }

  @Override
  public String toString() {
    return "%d messages of the %s library, %d sends UNKNOWN"
        .formatted(accepted(), topic.name(), unknown());
  }

  /** Stops it, whatever it is doing. */
  @Override
  public void close() {
    drill.close();
    mailboxes.forEach(Mailbox::close);
    ends.forEach(Runnable::run);
  }
}
