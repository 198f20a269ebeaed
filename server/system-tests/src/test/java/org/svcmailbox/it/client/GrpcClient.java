package org.svcmailbox.it.client;

import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.MailboxGrpc.MailboxBlockingStub;
import org.svcmailbox.proto.v1.MailboxGrpc.MailboxStub;
import org.svcmailbox.test.net.TestCertificate;

/** A connection to the gRPC door of a server, with its operator's capability. */
public final class GrpcClient implements AutoCloseable {
  /** The door's port without the server's offset. */
  public static final int PORT = 9_555;

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;
  private final String token;

  private GrpcClient(ManagedChannel channel, String token) {
    this.channel = channel;
    this.token = token;
  }

  public static GrpcClient of(MailboxServer server) throws IOException {
    return through(server.port(PORT), server);
  }

  /** Through the port of a proxy on the server's host. */
  public static GrpcClient through(int port, MailboxServer server) throws IOException {
    return new GrpcClient(
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build(),
        Files.readString(server.operatorFile()).strip());
  }

  /** Over one version of TLS, such as {@code TLSv1.3}. */
  public static GrpcClient over(MailboxServer server, TestCertificate certificate, String protocol)
      throws IOException, GeneralSecurityException {
    return new GrpcClient(
        NettyChannelBuilder.forAddress("127.0.0.1", server.port(PORT))
            .overrideAuthority("localhost")
            .sslContext(
                GrpcSslContexts.forClient()
                    .trustManager(certificate.certificatePem().toFile())
                    .protocols(protocol)
                    .build())
            .build(),
        Files.readString(server.operatorFile()).strip());
  }

  public ManagedChannel channel() {
    return channel;
  }

  /** As the operator. */
  public MailboxBlockingStub mailbox() {
    return mailbox(token);
  }

  /** With a capability, or without any. */
  public MailboxBlockingStub mailbox(@Nullable String capability) {
    MailboxBlockingStub stub = MailboxGrpc.newBlockingStub(channel);
    if (capability == null) {
      return stub;
    }
    return stub.withInterceptors(bearer(capability));
  }

  /** As the operator, for calls that last. */
  public MailboxStub streams() {
    return MailboxGrpc.newStub(channel).withInterceptors(asOperator());
  }

  /** Adds the operator's capability to calls. */
  public ClientInterceptor asOperator() {
    return bearer(token);
  }

  private static ClientInterceptor bearer(String capability) {
    Metadata metadata = new Metadata();
    metadata.put(AUTHORIZATION, "Bearer " + capability);
    return MetadataUtils.newAttachHeadersInterceptor(metadata);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
