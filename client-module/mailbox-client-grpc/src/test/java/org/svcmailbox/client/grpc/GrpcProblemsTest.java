package org.svcmailbox.client.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.google.rpc.Code;
import io.grpc.Status;
import java.net.ConnectException;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.ServiceProblem;
import org.svcmailbox.proto.v1.FieldError;

class GrpcProblemsTest {
  @ParameterizedTest
  @CsvSource({
    "E_SCHEMA, 400, IllegalArgumentException, false",
    "E_CAP_AUTH, 401, AccessDeniedException, false",
    "E_CAP_SCOPE, 403, AccessDeniedException, false",
    "E_NOT_FOUND, 404, MailboxNotFoundException, false",
    "E_DUPLICATE, 409, KeyConflictException, false",
    "E_RECEIPT, 410, IllegalArgumentException, false",
    "E_FRAME_TOO_LARGE, 413, SerializationException, false",
    "E_INTEGRITY, 422, IllegalArgumentException, false",
    "E_SATURATED, 429, MailboxFullException, true",
    "E_UNAVAILABLE, 503, MailboxConnectionException, true",
    "E_INTERNAL, 500, MailboxConnectionException, true",
    "E_OF_A_LATER_SERVICE, 500, MailboxConnectionException, true"
  })
  void everyProblemIsWhatItIsOverHttp(String code, int status, String thrown, boolean isRepeated) {
    GrpcOutcome<Object> reply =
        GrpcProblems.of("a call", ScriptedDoor.refusal(code, Code.UNKNOWN), "token");
    GrpcOutcome.Refused<?> refused = assertInstanceOf(GrpcOutcome.Refused.class, reply);
    assertEquals(status, refused.problem().status());
    assertEquals(thrown, refused.failure().cause().getClass().getSimpleName());
    assertEquals(isRepeated, refused.failure().repeatable());
  }

  @ParameterizedTest
  @CsvSource({
    "RESOURCE_EXHAUSTED, SerializationException, false",
    "UNAUTHENTICATED, AccessDeniedException, false",
    "PERMISSION_DENIED, AccessDeniedException, false",
    "UNIMPLEMENTED, MailboxConnectionException, false",
    "UNAVAILABLE, MailboxConnectionException, true",
    "DEADLINE_EXCEEDED, MailboxConnectionException, true",
    "NOT_FOUND, MailboxConnectionException, true"
  })
  void aStatusWithoutAProblemIsNotTheServices(Status.Code code, String thrown, boolean isRepeated) {
    Failure failure = none(code.toStatus());
    assertEquals(thrown, failure.cause().getClass().getSimpleName());
    assertEquals(isRepeated, failure.repeatable());
  }

  private static Failure none(Status status) {
    GrpcOutcome<Object> reply = GrpcProblems.of("a call", status.asRuntimeException(), "token");
    return assertInstanceOf(GrpcOutcome.None.class, reply).failure();
  }

  @Test
  void aConnectionThatWasNeverMadeCalledNothing() {
    Failure failure =
        none(
            Status.UNAVAILABLE.withCause(
                new IllegalStateException(new ConnectException("refused"))));
    assertEquals(
        Outcome.NOT_DONE,
        assertInstanceOf(MailboxConnectionException.class, failure.cause()).outcome());
  }

  @Test
  void aCertificateThatIsNotTrustedStaysSo() {
    SSLHandshakeException handshake = new SSLHandshakeException("no");
    handshake.initCause(new CertificateException("unknown"));
    Failure failure = none(Status.UNAVAILABLE.withCause(handshake));
    assertFalse(failure.repeatable());
  }

  @Test
  void aProblemHasItsDetailsWithoutTheToken() {
    ServiceProblem problem =
        GrpcProblems.problem(
            ScriptedDoor.problem("E_SCHEMA")
                .setDetail("the token\nis token")
                .setReason("why")
                .setMsgId("m")
                .setRetryAfterMs(7)
                .setLeftMs(8)
                .addErrors(FieldError.newBuilder().setField("attrs").setMessage("too many"))
                .addErrors(FieldError.newBuilder().setField("topic").setMessage("malformed"))
                .build(),
            "token");
    assertEquals("the [token] is [token] (attrs: too many; topic: malformed)", problem.detail());
    assertEquals("m", problem.msgId());
    assertEquals(Duration.ofMillis(7), problem.retryAfter());
    assertEquals(Duration.ofMillis(8), problem.left());
  }
}
