package org.svcmailbox.client.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.stream.Collectors;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.ServiceProblem;

/** Interprets gRPC statuses. The service's own ones map to the corresponding HTTP status. */
final class GrpcProblems {
  private static final int REQUEST_TOO_LARGE = 413;

  private GrpcProblems() {}

  /** The HTTP status of a problem's code; 500 for a code of a newer service. */
  static int status(String code) {
    return switch (code) {
      case "E_SCHEMA" -> 400;
      case "E_CAP_AUTH" -> 401;
      case "E_CAP_SCOPE" -> 403;
      case "E_NOT_FOUND" -> 404;
      case "E_DUPLICATE" -> 409;
      case "E_RECEIPT" -> 410;
      case "E_PRECONDITION" -> 412;
      case "E_FRAME_TOO_LARGE" -> REQUEST_TOO_LARGE;
      case "E_INTEGRITY" -> 422;
      case "E_SATURATED" -> 429;
      case "E_UNAVAILABLE" -> 503;
      default -> 500;
    };
  }

  /**
   * Reads a problem.
   *
   * @param token must never be part of the result
   */
  static ServiceProblem problem(org.svcmailbox.proto.v1.Problem from, String token) {
    return new ServiceProblem(
        status(from.getCode()),
        ServiceProblem.text(from.getCode(), token),
        ServiceProblem.text(from.getReason(), token),
        ServiceProblem.text(from.getDetail(), token) + fields(from, token),
        from.getMsgId().isEmpty() ? null : ServiceProblem.text(from.getMsgId(), token),
        ServiceProblem.why(from.getWhy()),
        from.hasRetryAfterMs() ? millis(from.getRetryAfterMs()) : null,
        from.hasLeftMs() ? millis(from.getLeftMs()) : null);
  }

  private static String fields(org.svcmailbox.proto.v1.Problem from, String token) {
    return from.getErrorsCount() == 0
        ? ""
        : from.getErrorsList().stream()
            .map(error -> ServiceProblem.text(error.getField() + ": " + error.getMessage(), token))
            .collect(Collectors.joining("; ", " (", ")"));
  }

  private static @Nullable Duration millis(long millis) {
    return millis >= 0 ? Duration.ofMillis(millis) : null;
  }

  /** The problem among the details of a status; null if it is not the service's. */
  static @Nullable ServiceProblem problem(@Nullable Status status, String token) {
    if (status == null) {
      return null;
    }
    for (Any detail : status.getDetailsList()) {
      if (detail.is(org.svcmailbox.proto.v1.Problem.class)) {
        try {
          return problem(detail.unpack(org.svcmailbox.proto.v1.Problem.class), token);
        } catch (InvalidProtocolBufferException e) {
          return null;
        }
      }
    }
    return null;
  }

  /** The refusal of one element of a batch. */
  static <A> GrpcOutcome<A> of(String call, Status status, String token) {
    ServiceProblem problem = problem(status, token);
    return problem == null
        ? new GrpcOutcome.None<>(
            0, Failure.unknown(call + ": an element is refused without a problem", null))
        : refused(call, problem);
  }

  private static <A> GrpcOutcome<A> refused(String call, ServiceProblem problem) {
    return new GrpcOutcome.Refused<>(problem, failure(call, problem));
  }

  /** The failure that a problem means, for any call. */
  static Failure failure(String call, ServiceProblem problem) {
    return Failure.of(call, problem.status(), problem);
  }

  /**
   * The end of a call with a status other than OK.
   *
   * @param token of the call
   */
  static <A> GrpcOutcome<A> of(String call, Throwable thrown, String token) {
    ServiceProblem problem = problem(details(thrown), token);
    if (problem != null) {
      return refused(call, problem);
    }
    io.grpc.Status status = io.grpc.Status.fromThrowable(thrown);
    return new GrpcOutcome.None<>(status(status.getCode()), foreign(call, status, token));
  }

  private static @Nullable Status details(Throwable thrown) {
    boolean isStatus =
        thrown instanceof StatusRuntimeException || thrown instanceof StatusException;
    return isStatus ? StatusProto.fromThrowable(thrown) : null;
  }

  private static int status(Code code) {
    return switch (code) {
      case UNIMPLEMENTED -> 501;
      case RESOURCE_EXHAUSTED -> REQUEST_TOO_LARGE;
      case UNAUTHENTICATED -> 401;
      case PERMISSION_DENIED -> 403;
      default -> 0;
    };
  }

  /** A status of the library, or of something in front of the service. */
  private static Failure foreign(String call, io.grpc.Status status, String token) {
    Code code = status.getCode();
    String what = call + " ended with " + code + ": " + said(status, token);
    return switch (code) {
      // Without a problem, the library itself refuses the message as too large, and a repeat would
      // fail again.
      case RESOURCE_EXHAUSTED, UNAUTHENTICATED, PERMISSION_DENIED ->
          Failure.of(call, code.name(), status(code), null);
      case UNIMPLEMENTED ->
          Failure.refused(
              new MailboxConnectionException(what, Outcome.NOT_DONE, status.getCause()));
      case UNAVAILABLE -> unavailable(call, what, status.getCause());
      default -> Failure.unknown(what, status.getCause());
    };
  }

  private static String said(io.grpc.Status status, String token) {
    String description = status.getDescription();
    return description == null ? "" : ServiceProblem.text(description, token);
  }

  private static Failure unavailable(String call, String what, @Nullable Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof SSLHandshakeException || each instanceof CertificateException) {
        return Failure.lost(call, each);
      }
      if (each instanceof ConnectException
          || each instanceof UnknownHostException
          || each instanceof UnresolvedAddressException) {
        return Failure.notDone("no connection for " + call, each);
      }
    }
    return Failure.unknown(what, cause);
  }
}
