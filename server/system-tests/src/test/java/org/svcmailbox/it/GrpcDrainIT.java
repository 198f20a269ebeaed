package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Answers;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.RecvResponse;

/** The gRPC door at the end of its server. */
@Tag("liberty")
@Tag("nightly")
class GrpcDrainIT {
  @Test
  void aServerThatIsToldToEndSaysSoAndAnswersOpenCalls() throws Exception {
    try (MailboxServer server =
            MailboxServer.start("grpc-drain", Map.of("MAILBOX_GRPC_ENABLED", "true"));
        GrpcClient client = GrpcClient.of(server)) {
      Answers<HealthCheckResponse> health = new Answers<>();
      HealthGrpc.newStub(client.channel()).watch(HealthCheckRequest.getDefaultInstance(), health);
      ServingStatus status = ServingStatus.UNKNOWN;
      while (status != ServingStatus.SERVING) {
        status = health.next().getStatus();
      }
      Answers<RecvResponse> received = new Answers<>();
      MailboxGrpc.newStub(client.channel())
          .withInterceptors(client.asOperator())
          .recv(RecvRequest.newBuilder().setTopic("t").setWaitMs(30_000).build(), received);
      // A call after it on the same connection, so that the RECV has begun.
      assertEquals(
          0,
          client.mailbox().recv(RecvRequest.newBuilder().setTopic("t").build()).getMessagesCount());
      assertEquals(0, server.terminate());
      assertEquals(ServingStatus.NOT_SERVING, health.next().getStatus());
      assertFalse(received.end().isOk() && received.next().getMessagesCount() > 0);
    }
  }
}
