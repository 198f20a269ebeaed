package org.svcmailbox.client.http;

import java.io.IOException;
import java.lang.System.Logger;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Polls;
import org.svcmailbox.client.service.Repeater;
import org.svcmailbox.client.service.ServiceDriver;
import org.svcmailbox.client.service.Settling;
import org.svcmailbox.client.service.StreamFeed;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedMessage;

/** One topic of the service. */
final class HttpDriver extends ServiceDriver<HttpTask<Sent>, HttpTask<Boolean>> {
  private static final Logger LOG = System.getLogger(HttpMailbox.class.getName());

  private final String topic;
  private final KeyedTokens tokens;
  private final HttpConnections connections;
  private final boolean ownsConnections;
  private final HttpReceiver receiver;
  private final HttpCalls calls;

  /**
   * A driver.
   *
   * @param connections shared, or its own
   * @param ownsConnections whether it closes them
   * @param streams whether receives come by a stream
   */
  HttpDriver(
      Settings settings,
      URI service,
      TokenSource source,
      HttpConnections connections,
      boolean ownsConnections,
      boolean streams) {
    super(settings, connections::wake);
    this.topic = settings.topic();
    this.connections = connections;
    this.ownsConnections = ownsConnections;
    this.tokens = new KeyedTokens(source);
    MailboxClock clock = settings.clock();
    Duration callTimeout = settings.callTimeout();
    Transport transport =
        new Transport(topic, service, tokens, connections, lifecycle(), clock, callTimeout);
    this.receiver =
        new HttpReceiver(
            transport,
            new Polls(connections.room(), lifecycle(), clock),
            lifecycle(),
            clock,
            callTimeout);
    this.calls =
        new HttpCalls(transport, new Repeater(LOG, topic, lifecycle(), clock, settings.random()));
    if (streams) {
      receiveBy(stream(settings, transport));
    }
  }

  private StreamFeed<DriverDelivery> stream(Settings settings, Transport transport) {
    StreamFormat<DriverDelivery> format = StreamFormat.deliveries(topic);
    return HttpStreamPump.feed(
        settings.stream(LOG, format, false),
        format,
        this::poll,
        transport,
        lifecycle(),
        connections,
        threads());
  }

  @Override
  protected String keyPrefix() {
    return tokens.keyPrefix();
  }

  @Override
  protected HttpTask<Sent> sending(EncodedMessage message, String key, Span span) {
    return new HttpTask<>(
        HttpJson.send(topic, message, key),
        message.payload().size(),
        span.begun(),
        span.deadline());
  }

  @Override
  protected HttpTask<Boolean> acknowledging(DriverDelivery delivery, Span span) {
    return task(HttpJson.acknowledge(delivery), span);
  }

  @Override
  protected HttpTask<Boolean> nacking(
      DriverDelivery delivery, Duration visibility, String reason, Span span) {
    return task(HttpJson.nack(delivery, visibility, reason), span);
  }

  @Override
  protected HttpTask<Boolean> extending(DriverDelivery delivery, Duration timeout, Span span) {
    return task(HttpJson.extend(delivery, timeout), span);
  }

  private static <A> HttpTask<A> task(byte @Nullable [] json, Span span) {
    return new HttpTask<>(json, 0, span.begun(), span.deadline());
  }

  @Override
  protected void send(List<HttpTask<Sent>> tasks) {
    calls.run(RepeatedEndpoints.SEND, tasks);
  }

  @Override
  protected void settle(Settling kind, List<HttpTask<Boolean>> tasks) {
    calls.run(RepeatedEndpoints.of(kind), tasks);
  }

  @Override
  protected void heartbeat(List<HttpTask<Boolean>> tasks) {
    calls.run(RepeatedEndpoints.HEARTBEAT, tasks);
  }

  @Override
  protected List<DriverDelivery> poll(int maxMessages, @Nullable Duration visibility, Duration wait)
      throws InterruptedException {
    HttpAnswer answer = receiver.receive(topic, maxMessages, visibility, wait);
    return answer == null ? List.of() : deliveries(answer);
  }

  private List<DriverDelivery> deliveries(HttpAnswer answer) {
    try {
      return RecvAnswer.read(answer.body(), topic);
    } catch (IOException e) {
      throw Failure.unknown("the answer to a receive cannot be read", e).cause();
    }
  }

  @Override
  protected void suspect(Duration unanswered) {
    connections.suspect(unanswered);
  }

  @Override
  public OptionalLong purge() {
    return lifecycle()
        .underWay(
            () -> {
              HttpTask<Long> task = task(new byte[0], shortSpan());
              long purged = done(RepeatedEndpoints.purge(topic), task);
              // An attempt without an answer may have deleted more.
              return task.isDoubtful() ? OptionalLong.empty() : OptionalLong.of(purged);
            });
  }

  @Override
  public long approximateCount() {
    return lifecycle()
        .underWay(() -> done(RepeatedEndpoints.count(topic), task(null, shortSpan())));
  }

  private <A> A done(Endpoint<A> endpoint, HttpTask<A> task) {
    calls.run(endpoint, List.of(task));
    return task.await();
  }

  @Override
  protected void release() {
    if (ownsConnections) {
      connections.close();
    }
  }
}
