package org.svcmailbox.grpc.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.RecvResponse;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Sent;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.TestCertificate;

class GrpcDoorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path directory;

  private static SendRequest message() {
    return SendRequest.newBuilder().setTopic("t").setIdemKey("k").build();
  }

  private static ServingStatus status(ManagedChannel channel, String service) {
    return HealthGrpc.newBlockingStub(channel)
        .check(HealthCheckRequest.newBuilder().setService(service).build())
        .getStatus();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NettyServerStream", "NettyServerHandler"})
  void clientsDoNotFillTheLogWithStacks(String type) {
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD)) {
      assertNotNull(door.channel());
      Logger logger = Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty." + type);
      assertFalse(logger.isLoggable(Level.WARNING));
    }
  }

  @Test
  void healthFollowsThePartsAndNeedsNoCapability() {
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD)) {
      ManagedChannel channel = door.channel();
      for (String service : List.of("", "mailbox.v1.Mailbox")) {
        Deadline.in(PATIENCE)
            .await(() -> status(channel, service) == ServingStatus.SERVING, () -> service);
      }
      door.isUp.set(false);
      Deadline.in(PATIENCE)
          .await(() -> status(channel, "") == ServingStatus.NOT_SERVING, () -> "down");
      door.isUp.set(true);
      Deadline.in(PATIENCE).await(() -> status(channel, "") == ServingStatus.SERVING, () -> "up");
      assertTrue(door.capabilities.presented.isEmpty());
    }
  }

  @Test
  void reflectionNamesTheServices() throws InterruptedException {
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD)) {
      Answers<ServerReflectionRequest, ServerReflectionResponse> answers = new Answers<>();
      StreamObserver<ServerReflectionRequest> requests =
          ServerReflectionGrpc.newStub(door.channel()).serverReflectionInfo(answers);
      requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
      String services = answers.next().toString();
      assertTrue(services.contains("mailbox.v1.Mailbox"), services);
      assertTrue(services.contains("grpc.health.v1.Health"), services);
      requests.onCompleted();
    }
  }

  @Test
  void methodsThatNobodyHasAreCountedTogether() {
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD)) {
      MethodDescriptor<SendRequest, Sent> other =
          MailboxGrpc.getSendMethod().toBuilder()
              .setFullMethodName("mailbox.v1.Mailbox/Secret")
              .build();
      Status refused =
          OpenDoor.refused(
              () -> {
                Sent unused =
                    ClientCalls.blockingUnaryCall(
                        door.channel(), other, CallOptions.DEFAULT, message());
              });
      assertEquals(Status.Code.UNIMPLEMENTED, refused.getCode());
      door.awaitMetric(1, "grpc_calls_total{method=other, code=UNIMPLEMENTED}");
    }
  }

  @Test
  void http1IsNotAnswered() throws IOException {
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD);
        RawConnection http1 = RawConnection.to(door.address())) {
      http1.send(RawConnection.get("/v1/send"));
      assertFalse(http1.rest().contains("HTTP/1.1"));
      assertTrue(door.mailbox.requests.isEmpty());
    }
  }

  @Test
  void atTheDrainHealthSaysSoAndNewCallsAreRefusedWhileOpenOnesEnd() throws InterruptedException {
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD)) {
      ManagedChannel channel = door.channel();
      Answers<HealthCheckRequest, HealthCheckResponse> seen = new Answers<>();
      HealthGrpc.newStub(channel).watch(HealthCheckRequest.getDefaultInstance(), seen);
      ServingStatus first = seen.next().getStatus();
      if (first == ServingStatus.NOT_SERVING) {
        assertEquals(ServingStatus.SERVING, seen.next().getStatus());
      }
      door.door.stopIntake();
      assertEquals(ServingStatus.NOT_SERVING, seen.next().getStatus());
      Status refused =
          OpenDoor.refused(
              () -> {
                Sent unused = OpenDoor.stub(channel).send(message());
              });
      assertEquals(Status.Code.UNAVAILABLE, refused.getCode());
      assertEquals("The server is shutting down", refused.getDescription());
      door.awaitMetric(1, "rejected_total{reason=draining}");
    }
  }

  @Test
  void whatIsOpenAtTheEndOfTheDrainIsCancelled() throws Exception {
    OpenDoor door = new OpenDoor(Numbers.STANDARD);
    door.mailbox.onRecv = request -> new CompletableFuture<>();
    Answers<RecvRequest, RecvResponse> answers = new Answers<>();
    MailboxGrpc.newStub(door.channel())
        .recv(RecvRequest.newBuilder().setTopic("t").setWaitMs(30_000).build(), answers);
    Deadline.in(PATIENCE).await(() -> !door.mailbox.requests.isEmpty(), () -> "no call");
    long began = System.nanoTime();
    door.close();
    assertTrue(System.nanoTime() - began < SECONDS.toNanos(10));
    assertNotNull(answers.end());
    assertNotNull(door.mailbox.abandoned.poll(10, SECONDS));
  }

  @Test
  void aPortThatIsTakenIsReported() {
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD)) {
      GrpcDoor second =
          new GrpcDoor(
              door.address(),
              Optional.empty(),
              door.services(Map.of()),
              Numbers.STANDARD,
              Executors.defaultThreadFactory());
      assertThrows(IOException.class, second::open);
    }
  }

  private static ManagedChannel over(
      TestCertificate certificate, InetSocketAddress address, String protocol) {
    try {
      SslContext context =
          GrpcSslContexts.forClient()
              .trustManager(certificate.certificatePem().toFile())
              .protocols(protocol)
              .build();
      return NettyChannelBuilder.forAddress(address)
          .overrideAuthority("localhost")
          .sslContext(context)
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void tlsIsOfferedInBothVersionsAndNothingElse() {
    TestCertificate certificate = TestCertificate.in(directory, "secret-password");
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD, Optional.of(certificate), Map.of())) {
      for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
        ManagedChannel channel = over(certificate, door.address(), protocol);
        assertNotNull(OpenDoor.stub(channel).send(message()));
        channel.shutdownNow();
      }
      Status plain =
          OpenDoor.refused(
              () -> {
                Sent unused = door.stub().send(message());
              });
      assertEquals(Status.Code.UNAVAILABLE, plain.getCode());
    }
  }

  @Test
  void aKeyStoreThatCannotBeReadIsReported() throws IOException {
    Path file = directory.resolve("broken.p12");
    Files.writeString(file, "none");
    ServerKeys keys = new ServerKeys(file, "secret");
    assertThrows(IllegalStateException.class, keys::context);
    assertFalse(keys.toString().contains("secret"));
  }
}
