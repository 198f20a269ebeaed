package org.svcmailbox.web.problem;

import org.svcmailbox.core.problem.Problem;

final class Statuses {
  static final int INTERNAL = 500;

  private Statuses() {}

  static int of(Problem problem) {
    return switch (problem) {
      case E_SCHEMA -> 400;
      case E_CAP_AUTH -> 401;
      case E_CAP_SCOPE -> 403;
      case E_NOT_FOUND -> 404;
      case E_DUPLICATE -> 409;
      case E_RECEIPT -> 410;
      case E_PRECONDITION -> 412;
      case E_FRAME_TOO_LARGE -> 413;
      case E_INTEGRITY -> 422;
      case E_SATURATED -> 429;
      case E_INTERNAL -> INTERNAL;
      case E_UNAVAILABLE -> 503;
    };
  }
}
