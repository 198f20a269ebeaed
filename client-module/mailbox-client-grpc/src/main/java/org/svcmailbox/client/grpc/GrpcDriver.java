package org.svcmailbox.client.grpc;

import java.io.IOException;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.http.KeyedTokens;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Polls;
import org.svcmailbox.client.service.Repeater;
import org.svcmailbox.client.service.ServiceDriver;
import org.svcmailbox.client.service.Settling;
import org.svcmailbox.client.service.StreamFeed;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.RecvResponse;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Settle;

/** One topic of the service. */
final class GrpcDriver
    extends ServiceDriver<GrpcTask<SendRequest, Sent>, GrpcTask<Settle, Boolean>> {
  private static final Logger LOG = System.getLogger(GrpcMailbox.class.getName());

  private final String topic;
  private final KeyedTokens tokens;
  private final MailboxClock clock;
  private final Duration callTimeout;
  private final GrpcConnections connections;
  private final GrpcTransport transport;
  private final Polls polls;
  private final GrpcCalls calls;

  /** Counts and purges; null if this mailbox cannot. */
  private final @Nullable Mailbox<?, ?> administration;

  /** Takes ownership of {@code administration}. */
  GrpcDriver(
      Settings settings,
      TokenSource source,
      GrpcConnections connections,
      boolean streams,
      @Nullable Mailbox<?, ?> administration) {
    super(settings, connections::wake);
    this.topic = settings.topic();
    this.clock = settings.clock();
    this.callTimeout = settings.callTimeout();
    this.connections = connections;
    this.administration = administration;
    this.tokens = new KeyedTokens(source);
    this.transport = new GrpcTransport(topic, tokens, connections, lifecycle(), clock, callTimeout);
    this.polls = new Polls(connections.room(), lifecycle(), clock);
    StreamFeed.Settings<DriverDelivery> ofStream = settings.stream(LOG, new Deliveries(), true);
    GrpcStreams door = streams(ofStream);
    this.calls =
        new GrpcCalls(
            transport,
            new Repeater(LOG, topic, lifecycle(), clock, settings.random()),
            clock,
            callTimeout,
            door::current);
    if (streams) {
      receiveBy(new StreamFeed<>(ofStream, this::poll, door));
    }
  }

  private GrpcStreams streams(StreamFeed.Settings<DriverDelivery> settings) {
    return new GrpcStreams(
        settings,
        transport,
        (feed, streams) ->
            new GrpcStreamPump(settings, feed, streams, transport, lifecycle(), connections)
                .start(threads()));
  }

  @Override
  protected String keyPrefix() {
    return tokens.keyPrefix();
  }

  @Override
  protected GrpcTask<SendRequest, Sent> sending(EncodedMessage message, String key, Span span) {
    return new GrpcTask<>(Elements.send(topic, message, key), message.payload().size(), span);
  }

  @Override
  protected GrpcTask<Settle, Boolean> acknowledging(DriverDelivery delivery, Span span) {
    return new GrpcTask<>(Elements.acknowledge(delivery), 0, span);
  }

  @Override
  protected GrpcTask<Settle, Boolean> nacking(
      DriverDelivery delivery, Duration visibility, String reason, Span span) {
    return new GrpcTask<>(Elements.nack(delivery, visibility, reason), 0, span);
  }

  @Override
  protected GrpcTask<Settle, Boolean> extending(
      DriverDelivery delivery, Duration timeout, Span span) {
    return new GrpcTask<>(Elements.extend(delivery, timeout), 0, span);
  }

  @Override
  protected void send(List<GrpcTask<SendRequest, Sent>> tasks) {
    calls.send(tasks);
  }

  @Override
  protected void settle(Settling kind, List<GrpcTask<Settle, Boolean>> tasks) {
    calls.settle(kind, tasks);
  }

  @Override
  protected void heartbeat(List<GrpcTask<Settle, Boolean>> tasks) {
    calls.heartbeat(tasks);
  }

  @Override
  protected List<DriverDelivery> poll(int maxMessages, @Nullable Duration visibility, Duration wait)
      throws InterruptedException {
    GrpcOutcome<RecvResponse> reply =
        wait.isZero()
            ? transport.call(
                MailboxGrpc.getRecvMethod(),
                Elements.receive(topic, maxMessages, visibility, wait),
                new io.grpc.Metadata(),
                clock.deadline(callTimeout))
            : polls.poll(
                wait,
                turn -> ask(Elements.receive(topic, maxMessages, visibility, turn), turn),
                GrpcDriver::isEmpty);
    return reply == null ? List.of() : deliveries(reply);
  }

  private GrpcOutcome<RecvResponse> ask(RecvRequest request, Duration wait)
      throws InterruptedException {
    return transport.poll(MailboxGrpc.getRecvMethod(), request, wait);
  }

  private static boolean isEmpty(GrpcOutcome<RecvResponse> reply) {
    return reply instanceof GrpcOutcome.Answer<RecvResponse> answer
        && answer.message().getMessagesCount() == 0;
  }

  private List<DriverDelivery> deliveries(GrpcOutcome<RecvResponse> reply) {
    if (reply instanceof GrpcOutcome.Answer<RecvResponse> answer) {
      try {
        return Deliveries.of(answer.message(), topic);
      } catch (IOException e) {
        throw Failure.unknown("the answer to a receive cannot be read", e).cause();
      }
    }
    if (reply instanceof GrpcOutcome.Refused<RecvResponse> refused) {
      throw refused.failure().cause();
    }
    if (reply instanceof GrpcOutcome.None<RecvResponse> none && lifecycle().isOpen()) {
      throw none.failure().cause();
    }
    return List.of();
  }

  @Override
  protected void suspect(Duration unanswered) {
    connections.suspect();
  }

  @Override
  public OptionalLong purge() {
    return administration("purge").purge();
  }

  @Override
  public long approximateCount() {
    return administration("approximateCount").approximateCount();
  }

  private Mailbox<?, ?> administration(String call) {
    if (administration == null) {
      throw new UnsupportedOperationException(
          "gRPC has no " + call + "; GrpcMailbox.Builder.administration makes it over HTTP");
    }
    return administration;
  }

  @Override
  protected void release() {
    if (administration != null) {
      administration.close();
    }
  }
}
