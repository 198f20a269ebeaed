package org.svcmailbox.it.drill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.outbox.jdbc.OutboxSchema;
import org.svcmailbox.test.net.BreakingProxy;
import org.svcmailbox.test.net.LoopbackHttp;
import org.svcmailbox.test.process.PostgresServer;

/**
 * Everything that takes part: the service, a database and two workers, which reach both through
 * proxies, and the handler.
 */
final class OutboxStage implements AutoCloseable {
  static final String TOPIC = "shop__orders";
  static final int WORKERS = 2;

  /** Leases end soon after their worker, and delays are short: most of the time is work. */
  private static final Fields TOPIC_SETTINGS =
      Fields.of("max_attempts", 1_000)
          .with("default_visibility", "2s")
          .with("backoff_base", "100ms")
          .with("backoff_max", "1s")
          .with("retention_inflight_count", 200);

  private final CompletableFuture<PostgresServer> starting =
      CompletableFuture.supplyAsync(PostgresServer::start);
  final MailboxServer service = MailboxServer.start("outbox-kill", Map.of());
  final PostgresServer database = starting.join();
  final MailboxClient client = new MailboxClient(service.target());
  final BreakingProxy toService = new BreakingProxy(service.uri().getPort());
  final BreakingProxy toDatabase = new BreakingProxy(database.port());
  final OutboxHandler handler = new OutboxHandler();
  private final LoopbackHttp http = new LoopbackHttp(handler::handle);
  final List<DrillWorker> workers =
      List.copyOf(IntStream.range(0, WORKERS).mapToObj(this::worker).toList());

  /** Makes topic and tables, and starts the workers. */
  void start() throws IOException {
    client.putTopic(TOPIC, TOPIC_SETTINGS).expect(201);
    int unused = OutboxSchema.migrate(database.source());
    workers.forEach(DrillWorker::start);
    workers.forEach(DrillWorker::awaitStart);
  }

  private DrillWorker worker(int number) {
    try {
      return new DrillWorker(
          "worker-" + number,
          service,
          "http://127.0.0.1:" + toService.port(),
          database.url().replace(":" + database.port(), ":" + toDatabase.port()),
          http.uri().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many messages the topic has, dead letters aside. */
  long left() throws IOException {
    return DrillLoad.left(client, TOPIC);
  }

  @Override
  public void close() {
    workers.forEach(DrillWorker::close);
    toService.close();
    toDatabase.close();
    http.close();
    service.close();
    database.close();
  }
}
