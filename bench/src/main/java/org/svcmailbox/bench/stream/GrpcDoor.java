package org.svcmailbox.bench.stream;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.Closeable;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.MailboxGrpc.MailboxStub;

/** Connections to the gRPC door. Their threads run the callbacks, which must not block. */
final class GrpcDoor implements Closeable {
  /** Its port before the offset. */
  static final int PORT = 9_555;

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final List<ManagedChannel> channels;
  private final Metadata metadata = new Metadata();

  /**
   * @param client whose capability every call has
   */
  GrpcDoor(URI door, LoadTarget client, int connections) {
    channels = IntStream.range(0, connections).mapToObj(i -> channel(door)).toList();
    metadata.put(AUTHORIZATION, "Bearer " + client.token());
  }

  private static ManagedChannel channel(URI door) {
    return NettyChannelBuilder.forAddress(door.getHost(), door.getPort())
        .usePlaintext()
        .directExecutor()
        .build();
  }

  /** Calls over one of the connections, in turn. */
  MailboxStub mailbox(int number) {
    return MailboxGrpc.newStub(channels.get(number % channels.size()))
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  /** Ends all calls. */
  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }
}
