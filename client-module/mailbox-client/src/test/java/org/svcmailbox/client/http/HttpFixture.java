package org.svcmailbox.client.http;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.OwnThread;

/** A service and mailboxes on it, for the tests of this package. */
final class HttpFixture implements AutoCloseable {
  static final String TOPIC = "orders";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  final ScriptedService service;
  private final HttpConnections connections = HttpConnections.builder().build();
  private final List<HttpMailbox<?, ?>> opened = new ArrayList<>();

  HttpFixture() throws Exception {
    service = new ScriptedService();
  }

  HttpMailbox.Builder<String, String> builder() {
    return builder(service.uri());
  }

  /** Without pauses between repeats. */
  HttpMailbox.Builder<String, String> builder(URI uri) {
    return HttpMailbox.builder(
            uri, TokenSource.of(ScriptedService.TOKEN), TOPIC, Codecs.utf8(), Codecs.utf8())
        .connections(connections)
        .random(() -> 0);
  }

  HttpMailbox<String, String> open(UnaryOperator<HttpMailbox.Builder<String, String>> change) {
    return keep(change.apply(builder()).build());
  }

  HttpMailbox<String, String> open() {
    return open(builder -> builder);
  }

  /** With a clock, and with pauses of half the backoff. */
  HttpMailbox<String, String> open(MailboxClock clock) {
    return open(builder -> builder.clock(clock).random(() -> 0.5));
  }

  HttpMailbox<String, String> keep(HttpMailbox<String, String> mailbox) {
    opened.add(mailbox);
    return mailbox;
  }

  /** Makes a call on another thread. */
  static <A> CompletableFuture<A> begin(Callable<A> call) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return call.call();
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        },
        OwnThread.EXECUTOR);
  }

  static void await(Deadline.Condition condition) {
    Deadline.in(PATIENCE).await(condition, () -> "what the test waits for");
  }

  @Override
  public void close() {
    opened.forEach(HttpMailbox::close);
    service.close();
  }
}
