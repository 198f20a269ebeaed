package org.svcmailbox.grpc.refusal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.refusal.ProblemReport;
import org.svcmailbox.core.refusal.ProblemReports;

class StatusDetailsTest {
  private static <T extends Message> Optional<T> detail(Status status, Class<T> type) {
    return status.getDetailsList().stream()
        .filter(any -> any.is(type))
        .map(any -> unpacked(any, type))
        .findAny();
  }

  private static <T extends Message> T unpacked(Any any, Class<T> type) {
    try {
      return any.unpack(type);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static org.svcmailbox.proto.v1.Problem problem(Status status) {
    return detail(status, org.svcmailbox.proto.v1.Problem.class).orElseThrow();
  }

  @Test
  void codesAreThoseOfTheInterface() {
    assertEquals(
        "E_SCHEMA=INVALID_ARGUMENT E_CAP_AUTH=UNAUTHENTICATED E_CAP_SCOPE=PERMISSION_DENIED "
            + "E_NOT_FOUND=NOT_FOUND E_DUPLICATE=ALREADY_EXISTS E_RECEIPT=FAILED_PRECONDITION "
            + "E_PRECONDITION=FAILED_PRECONDITION "
            + "E_FRAME_TOO_LARGE=INVALID_ARGUMENT E_INTEGRITY=INVALID_ARGUMENT "
            + "E_SATURATED=RESOURCE_EXHAUSTED E_UNAVAILABLE=UNAVAILABLE E_INTERNAL=INTERNAL",
        Stream.of(Problem.values())
            .map(problem -> problem + "=" + StatusCodes.of(problem))
            .collect(Collectors.joining(" ")));
  }

  @ParameterizedTest
  @EnumSource(Problem.class)
  void everyProblemNamesItself(Problem problem) {
    Status status = StatusDetails.of(ProblemReport.of(problem, "in words"));
    assertEquals("in words", status.getMessage());
    ErrorInfo info = detail(status, ErrorInfo.class).orElseThrow();
    assertEquals(problem.name(), info.getReason());
    assertEquals(StatusDetails.DOMAIN, info.getDomain());
    assertEquals(problem.name(), problem(status).getCode());
    assertEquals(problem.title(), problem(status).getTitle());
    assertEquals("in words", problem(status).getDetail());
  }

  @ParameterizedTest
  @EnumSource(Problem.class)
  void onlyWhatCanSucceedLaterSaysWhen(Problem problem) {
    Refusal refusal = new Refusal(problem, "full", "words", Duration.ofMillis(2_345));
    Status status = StatusDetails.of(ProblemReports.refused(refusal));
    Optional<RetryInfo> retry = detail(status, RetryInfo.class);
    assertEquals(problem.retryable(), retry.isPresent());
    assertEquals(problem.retryable(), problem(status).hasRetryAfterMs());
    retry.ifPresent(
        info -> {
          com.google.protobuf.Duration delay =
              com.google.protobuf.Duration.newBuilder().setSeconds(2).setNanos(345_000_000).build();
          assertEquals(delay, info.getRetryDelay());
        });
    assertEquals("full", problem(status).getReason());
    assertEquals(
        "full", detail(status, ErrorInfo.class).orElseThrow().getMetadataOrDefault("reason", ""));
  }

  @Test
  void refusedFieldsAreNamed() {
    Status status =
        StatusDetails.of(ProblemReports.of(new SchemaException("topic", "is required")));
    BadRequest request = detail(status, BadRequest.class).orElseThrow();
    assertEquals("topic", request.getFieldViolations(0).getField());
    assertEquals("is required", request.getFieldViolations(0).getDescription());
    assertEquals("topic", problem(status).getErrors(0).getField());
  }

  @Test
  void everyMemberHasItsField() {
    ProblemReport report =
        ProblemReport.of(Problem.E_RECEIPT, "d")
            .with(ProblemReport.WHY, "expired")
            .with(ProblemReport.MSG_ID, "m")
            .with(ProblemReport.CORR_ID, "c")
            .with(ProblemReport.LEFT_MS, 7L);
    org.svcmailbox.proto.v1.Problem problem = problem(StatusDetails.of(report));
    assertEquals("expired", problem.getWhy());
    assertEquals("m", problem.getMsgId());
    assertEquals("c", problem.getCorrId());
    assertEquals(7, problem.getLeftMs());
    assertFalse(problem.hasRetryAfterMs());
  }

  @Test
  void theLargestRefusalFitsIntoTheMetadataThatClientsAccept() {
    FieldViolation field = new FieldViolation("f".repeat(2_000), "\ud83d\ude00".repeat(2_000));
    SchemaException thrown = new SchemaException(Collections.nCopies(3_000, field));
    Status status = StatusDetails.of(ProblemReports.of(thrown));
    int inBase64 = (status.getSerializedSize() + 2) / 3 * 4;
    assertTrue(inBase64 + 3 * StatusDetails.MAX_TEXT < 8_192, inBase64 + " digits");
  }

  @Test
  void aTextIsNotCutInsideACharacter() {
    String text = "x".repeat(StatusDetails.MAX_TEXT - 1) + "\ud83d\ude00";
    String cut = StatusDetails.of(ProblemReport.of(Problem.E_SCHEMA, text)).getMessage();
    assertEquals("x".repeat(StatusDetails.MAX_TEXT - 1), cut);
  }
}
