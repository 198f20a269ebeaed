package org.svcmailbox.client.grpc;

import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.stub.ClientCalls;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.StreamFeed;
import org.svcmailbox.client.service.StreamLink;
import org.svcmailbox.client.service.StreamTerms;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.proto.v1.MailboxGrpc;

/** The streams of a mailbox, including the one that takes settlements. */
final class GrpcStreams implements StreamFeed.Door<DriverDelivery> {
  private final StreamFeed.Settings<DriverDelivery> settings;
  private final GrpcTransport transport;
  private final Starter starter;
  private volatile @Nullable GrpcLink current;

  /** Starts the pump of a feed. */
  interface Starter {
    void start(StreamFeed<DriverDelivery> feed, GrpcStreams streams);
  }

  GrpcStreams(
      StreamFeed.Settings<DriverDelivery> settings, GrpcTransport transport, Starter starter) {
    this.settings = settings;
    this.transport = transport;
    this.starter = starter;
  }

  @Override
  public GrpcLink link(StreamFeed<DriverDelivery> feed, StreamTerms request) {
    return new GrpcLink(settings.mailbox(), settings.largest(), feed.arrivals(), request);
  }

  @Override
  public void startPump(StreamFeed<DriverDelivery> feed) {
    starter.start(feed, this);
  }

  /** The stream that settlements may use; null for none. */
  @Nullable GrpcLink current() {
    return current;
  }

  /** Requests a stream, which then takes settlements. */
  void open(GrpcLink link, String token) {
    start(link, token);
    current = link;
  }

  /** Requests a stream. */
  void start(GrpcLink link, String token) {
    ClientCalls.asyncBidiStreamingCall(
        transport
            .channel(token, new Metadata())
            .newCall(MailboxGrpc.getRecvStreamMethod(), CallOptions.DEFAULT),
        link);
    link.open();
  }

  void close(StreamLink<DriverDelivery> link) {
    if (current == link) {
      current = null;
    }
  }
}
