package org.svcmailbox.grpc.refusal;

import com.google.rpc.Code;
import org.svcmailbox.core.problem.Problem;

/** The status code of each problem. */
final class StatusCodes {
  private StatusCodes() {}

  static Code of(Problem problem) {
    return switch (problem) {
      case E_SCHEMA, E_FRAME_TOO_LARGE, E_INTEGRITY -> Code.INVALID_ARGUMENT;
      case E_CAP_AUTH -> Code.UNAUTHENTICATED;
      case E_CAP_SCOPE -> Code.PERMISSION_DENIED;
      case E_NOT_FOUND -> Code.NOT_FOUND;
      case E_DUPLICATE -> Code.ALREADY_EXISTS;
      case E_RECEIPT, E_PRECONDITION -> Code.FAILED_PRECONDITION;
      case E_SATURATED -> Code.RESOURCE_EXHAUSTED;
      case E_UNAVAILABLE -> Code.UNAVAILABLE;
      case E_INTERNAL -> Code.INTERNAL;
    };
  }
}
