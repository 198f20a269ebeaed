package org.svcmailbox.client.sqs;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.MailboxNotFoundException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.SerializationException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;

/**
 * Why a call was not carried out, or why that is unknown.
 *
 * @param cause the exception for the caller
 * @param kind what is known
 * @param code the code in the answer of SQS; empty without an answer
 * @param text the explanation of SQS, which may quote the request
 */
record SqsFailure(RuntimeException cause, Kind kind, String code, String text) {
  /** How much is known of a failed call. */
  enum Kind {
    /** It was not carried out, and may succeed later. */
    NOT_DONE,
    /** It may have been carried out. */
    UNKNOWN,
    /** It was not carried out, and repeating it does not help; or the caller was interrupted. */
    FINAL
  }

  static final String PURGE_IN_PROGRESS = "PurgeQueueInProgress";

  private static final Duration PURGE_PAUSE = Duration.ofSeconds(60);

  private static final Set<String> NOT_FOUND =
      Set.of("NonExistentQueue", "QueueDoesNotExist", "QueueDeletedRecently");

  private static final Set<String> THROTTLED =
      Set.of(
          "KMS.ThrottlingException",
          "KmsThrottled",
          "OverLimit",
          "RequestThrottled",
          "Throttling",
          "ThrottlingException",
          "TooManyRequestsException");

  private static final Set<String> UNSENDABLE =
      Set.of("BatchRequestTooLong", "InvalidMessageContents");

  private static final Set<String> DENIED =
      Set.of(
          "AccessDenied",
          "AccessDeniedException",
          "ExpiredToken",
          "ExpiredTokenException",
          "IncompleteSignature",
          "InvalidClientTokenId",
          "InvalidSecurity",
          "MissingAuthenticationToken",
          "OptInRequired",
          "SignatureDoesNotMatch",
          "UnrecognizedClientException");

  private static final Set<String> LOST_LEASE =
      Set.of("InvalidIdFormat", "MessageNotInflight", "ReceiptHandleIsInvalid");

  static SqsFailure of(String call, SdkException e) {
    return e instanceof AwsServiceException answer ? refused(call, answer) : unanswered(call, e);
  }

  /** The failure of one message in a batch. */
  static SqsFailure of(String call, BatchResultErrorEntry entry) {
    int status = Boolean.FALSE.equals(entry.senderFault()) ? 500 : 400;
    return refused(call, status, code(entry.code()), text(entry.message()), null);
  }

  /** The failure of a message that an answer does not mention. */
  static SqsFailure unmentioned(String call) {
    return unknown("the answer to " + call + " does not mention the message", null);
  }

  static SqsFailure unknown(String what, @Nullable Throwable cause) {
    return new SqsFailure(
        new MailboxConnectionException(what, Outcome.UNKNOWN, cause), Kind.UNKNOWN, "", "");
  }

  private static SqsFailure unanswered(String call, SdkException e) {
    if (e instanceof AbortedException) {
      Thread.currentThread().interrupt();
      return new SqsFailure(
          new MailboxConnectionException(call + " was interrupted", Outcome.UNKNOWN, e),
          Kind.FINAL,
          "",
          "");
    }
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (neverConnected(cause)) {
        return new SqsFailure(
            new MailboxConnectionException("no connection for " + call, Outcome.NOT_DONE, e),
            Kind.NOT_DONE,
            "",
            "");
      }
      if (cause instanceof IOException) {
        return unknown("no answer to " + call, e);
      }
    }
    // The SDK has no type for this, and its text names the places that it searched.
    return text(e.getMessage()).startsWith("Unable to load credentials")
        ? denied("there are no AWS credentials for " + call)
        : unknown(call + " failed", e);
  }

  private static boolean neverConnected(Throwable cause) {
    return cause instanceof ConnectException
        || cause instanceof NoRouteToHostException
        || cause instanceof UnknownHostException
        || cause instanceof SSLHandshakeException
        // The JDK has only one type for both timeouts.
        || (cause instanceof SocketTimeoutException
            && text(cause.getMessage()).startsWith("Connect timed out"));
  }

  private static SqsFailure refused(String call, AwsServiceException answer) {
    AwsErrorDetails details = answer.awsErrorDetails();
    String code = code(details == null ? null : details.errorCode());
    String text = text(details == null ? null : details.errorMessage());
    return answer.isThrottlingException()
        ? throttled(call, code, text)
        : refused(call, answer.statusCode(), code, text, answer);
  }

  /** Denials omit the texts of SQS and causes, because AWS quotes the signed request there. */
  private static SqsFailure refused(
      String call, int status, String code, String text, @Nullable Throwable answer) {
    String what = call + " was answered " + status + (code.isEmpty() ? "" : " " + code);
    if (NOT_FOUND.contains(code)) {
      return new SqsFailure(new MailboxNotFoundException(what), Kind.FINAL, code, text);
    }
    if (THROTTLED.contains(code)) {
      return throttled(call, code, text);
    }
    if (code.equals(PURGE_IN_PROGRESS)) {
      return new SqsFailure(new MailboxFullException(what, PURGE_PAUSE), Kind.FINAL, code, text);
    }
    if (DENIED.contains(code) || code.regionMatches(true, 0, "KMS", 0, 3)) {
      return denied(what);
    }
    if (status >= 500 || status == 408) {
      return unknown(what, answer);
    }
    if (code.isEmpty() && status / 100 != 2) {
      // From a proxy, or from something other than SQS; it did nothing.
      return status == 401 || status == 403
          ? denied(what)
          : new SqsFailure(
              new MailboxConnectionException(what, Outcome.NOT_DONE, answer),
              Kind.NOT_DONE,
              "",
              "");
    }
    if (UNSENDABLE.contains(code) || isTooLong(text)) {
      return new SqsFailure(new SerializationException(what), Kind.FINAL, code, text);
    }
    return status == 401 || status == 403
        ? denied(what)
        : new SqsFailure(
            new IllegalArgumentException(what + ": " + text, answer), Kind.FINAL, code, text);
  }

  private static boolean isTooLong(String text) {
    return text.contains("must be shorter than") || text.contains("MessageTooLong");
  }

  private static SqsFailure throttled(String call, String code, String text) {
    return new SqsFailure(
        new MailboxFullException(call + " was throttled: " + code), Kind.NOT_DONE, code, text);
  }

  private static SqsFailure denied(String what) {
    return new SqsFailure(new AccessDeniedException(what), Kind.FINAL, "", "");
  }

  /** The code without prefixes that only one protocol has. */
  private static String code(@Nullable String code) {
    return text(code).replaceFirst("^(AWS\\.SimpleQueueService\\.|com\\.amazonaws\\.sqs#)", "");
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  /** How the lease was lost, if a settlement was refused for that reason. */
  @Nullable Why lostLease() {
    boolean isLost =
        LOST_LEASE.contains(code)
            || (code.equals("InvalidParameterValue")
                && (text.contains("parameter ReceiptHandle")
                    || text.contains("not available for visibility timeout change")));
    if (!isLost) {
      return null;
    }
    return code.equals("MessageNotInflight") || text.contains("expired") ? Why.EXPIRED : Why.GONE;
  }

  /** The exception for the caller if an earlier attempt may have taken effect. */
  RuntimeException causeInDoubt() {
    return cause instanceof MailboxConnectionException lost && lost.outcome() == Outcome.UNKNOWN
        ? cause
        : new MailboxConnectionException(
            "an earlier attempt may have succeeded; the last one did not: " + cause.getMessage(),
            Outcome.UNKNOWN,
            cause);
  }
}
