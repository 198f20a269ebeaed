package org.svcmailbox.grpc.refusal;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.refusal.ProblemReport;
import org.svcmailbox.proto.v1.FieldError;
import org.svcmailbox.proto.v1.Problem;

/**
 * Converts problems to statuses. Clients accept 8 KiB of metadata by default, so texts are cut and
 * not every refused field is named.
 */
public final class StatusDetails {
  /** The domain of {@code ErrorInfo}. */
  public static final String DOMAIN = "svc-mailbox";

  /** The most characters of a text. */
  static final int MAX_TEXT = 384;

  /** The most characters of all refused fields with their reasons. */
  static final int MAX_FIELDS = 1_024;

  private static final int MILLIS = 1_000;
  private static final int NANOS_OF_MILLI = 1_000_000;

  private StatusDetails() {}

  /** The status with all details. */
  public static Status of(ProblemReport report) {
    Status.Builder status =
        Status.newBuilder()
            .setCode(StatusCodes.of(report.code()).getNumber())
            .setMessage(cut(report.detail()))
            .addDetails(Any.pack(info(report)));
    List<FieldViolation> fields = fields(report);
    if (!fields.isEmpty()) {
      status.addDetails(Any.pack(badRequest(fields)));
    }
    if (report.more().get(ProblemReport.RETRY_AFTER_MS) instanceof Long millis) {
      status.addDetails(Any.pack(retry(millis)));
    }
    return status.addDetails(Any.pack(problem(report, fields))).build();
  }

  private static ErrorInfo info(ProblemReport report) {
    ErrorInfo.Builder info =
        ErrorInfo.newBuilder().setReason(report.code().name()).setDomain(DOMAIN);
    report
        .more()
        .forEach(
            (member, value) -> {
              if (value instanceof String text) {
                info.putMetadata(member, cut(text));
              }
            });
    return info.build();
  }

  private static BadRequest badRequest(List<FieldViolation> fields) {
    BadRequest.Builder request = BadRequest.newBuilder();
    for (FieldViolation field : fields) {
      request.addFieldViolationsBuilder().setField(field.field()).setDescription(field.message());
    }
    return request.build();
  }

  private static RetryInfo retry(long millis) {
    return RetryInfo.newBuilder()
        .setRetryDelay(
            Duration.newBuilder()
                .setSeconds(millis / MILLIS)
                .setNanos((int) (millis % MILLIS) * NANOS_OF_MILLI))
        .build();
  }

  /** The problem alone, for an event. */
  public static Problem problem(ProblemReport report) {
    return problem(report, fields(report));
  }

  private static Problem problem(ProblemReport report, List<FieldViolation> fields) {
    Problem.Builder problem =
        Problem.newBuilder()
            .setCode(report.code().name())
            .setTitle(report.code().title())
            .setDetail(cut(report.detail()));
    report.more().forEach((member, value) -> set(problem, member, value));
    for (FieldViolation field : fields) {
      problem.addErrors(
          FieldError.newBuilder().setField(field.field()).setMessage(field.message()));
    }
    return problem.build();
  }

  private static void set(Problem.Builder problem, String member, Object value) {
    switch (member) {
      case ProblemReport.REASON -> problem.setReason(cut(value.toString()));
      case ProblemReport.WHY -> problem.setWhy(cut(value.toString()));
      case ProblemReport.MSG_ID -> problem.setMsgId(cut(value.toString()));
      case ProblemReport.CORR_ID -> problem.setCorrId(cut(value.toString()));
      case ProblemReport.RETRY_AFTER_MS -> problem.setRetryAfterMs((Long) value);
      case ProblemReport.LEFT_MS -> problem.setLeftMs((Long) value);
      default -> {
        // The refused fields.
      }
    }
  }

  private static List<FieldViolation> fields(ProblemReport report) {
    List<FieldViolation> fields = new ArrayList<>();
    int room = MAX_FIELDS;
    if (report.more().get(ProblemReport.ERRORS) instanceof List<?> errors) {
      for (Object error : errors) {
        FieldViolation field = (FieldViolation) error;
        FieldViolation shown = new FieldViolation(cut(field.field()), cut(field.message()));
        room -= shown.field().length() + shown.message().length();
        if (room < 0) {
          break;
        }
        fields.add(shown);
      }
    }
    return fields;
  }

  private static String cut(String text) {
    if (text.length() <= MAX_TEXT) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT;
    return text.substring(0, end);
  }
}
