package org.svcmailbox.grpc.refusal;

import com.google.rpc.Code;
import com.google.rpc.Status;
import io.grpc.StatusException;
import io.grpc.protobuf.StatusProto;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.refusal.AnsweredCall;
import org.svcmailbox.core.refusal.ProblemReport;
import org.svcmailbox.core.refusal.ProblemReports;
import org.svcmailbox.core.refusal.RefusalCounts;
import org.svcmailbox.core.refusal.RefusalLog;

/** Logs and counts every failure once, and turns it into a status. Any thread. */
public final class Refusals implements MetricSource {
  /** A call that is refused. */
  public interface Refused {
    /** Such as {@code mailbox.v1.Mailbox/Send}. */
    String method();

    /** The endpoint in metrics, such as {@code send}. */
    String endpoint();

    /** The client's address in numeric form. */
    String address();

    /** The correlation id in the log. */
    String corrId();
  }

  private final RefusalCounts counts;
  private final RefusalLog log =
      new RefusalLog(System.getLogger(Refusals.class.getName()), System::nanoTime);

  /**
   * @param endpoints all possible results of {@link Refused#endpoint}
   */
  public Refusals(List<String> endpoints) {
    this.counts = new RefusalCounts(endpoints);
  }

  /** Reports the failure of a whole call. */
  public StatusException call(Throwable thrown, Refused call) {
    return StatusProto.toStatusException(status(thrown, call));
  }

  /** Reports the failure of a call or of one element. */
  public Status status(Throwable thrown, Refused call) {
    Throwable cause = unwrapped(thrown);
    if (cause instanceof RefusedException refused) {
      return refused(refused.report(), call);
    }
    if (cause instanceof MailboxException mailbox) {
      ProblemReport report = ProblemReports.of(mailbox);
      return isOurs(report.code()) ? failed(report, mailbox, call) : refused(report, call);
    }
    return failed(ProblemReport.of(Problem.E_INTERNAL, Problem.E_INTERNAL.title()), cause, call);
  }

  private Status refused(ProblemReport report, Refused call) {
    counts.count(report, call.endpoint());
    // Refusals under load are too many for each to get an id.
    ProblemReport logged =
        report.code().retryable() ? report : report.with(ProblemReport.CORR_ID, call.corrId());
    log.refused(logged, new Answered(call, report.code()));
    return StatusDetails.of(report);
  }

  private Status failed(ProblemReport report, Throwable thrown, Refused call) {
    counts.count(report, call.endpoint());
    ProblemReport visible =
        report.code() == Problem.E_INTERNAL ? ProblemReports.internal(call.corrId()) : report;
    ProblemReport traceable = visible.with(ProblemReport.CORR_ID, call.corrId());
    log.failed(traceable, new Answered(call, report.code()), thrown);
    return StatusDetails.of(traceable);
  }

  private static boolean isOurs(Problem problem) {
    return problem == Problem.E_INTERNAL || problem == Problem.E_UNAVAILABLE;
  }

  private static Throwable unwrapped(Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }

  @Override
  public List<Metric> metrics() {
    return counts.metrics();
  }

  private record Answered(Refused call, Problem problem) implements AnsweredCall {
    @Override
    public String line() {
      Code code = StatusCodes.of(problem);
      return "gRPC " + call.method() + " answered " + code;
    }

    @Override
    public String address() {
      return call.address();
    }

    @Override
    public boolean isAnyones() {
      return false;
    }
  }
}
