package org.svcmailbox.grpc.bound;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;

/**
 * Follows every call from its first header to its end. It counts and times the call, and counts the
 * bytes that have arrived and are not being handled. Any thread.
 */
public final class CallBounds extends ServerStreamTracer.Factory implements MetricSource {
  static final String CALLS = "grpc_calls";
  static final String BYTES = "grpc_bytes";
  static final String ANSWERS = "grpc_recv_bytes";

  private final CapacityLimit calls;
  private final CapacityLimit bytes;
  private final CapacityLimit answers;
  private final CallCounts counts = new CallCounts(Methods.ALL);
  private final CallTimes times = new CallTimes(Methods.ALL);

  /**
   * @param calls the most open calls
   * @param bytes the most bytes of messages that have arrived and are not being handled
   * @param answers the most bytes of RECV answers that clients have not yet taken
   */
  public CallBounds(long calls, long bytes, long answers) {
    this.calls = new CapacityLimit(CALLS, "too many calls are open", calls, System::nanoTime);
    this.bytes = new CapacityLimit(BYTES, "too much is arriving", bytes, System::nanoTime);
    this.answers =
        new CapacityLimit(ANSWERS, "too many clients read slowly", answers, System::nanoTime);
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
    return new OpenCall(Methods.label(fullMethodName), this);
  }

  CapacityLimit calls() {
    return calls;
  }

  /** Bytes of messages that have arrived, also in chunks, and are not being handled. */
  public CapacityLimit bytes() {
    return bytes;
  }

  CallCounts counts() {
    return counts;
  }

  CallTimes times() {
    return times;
  }

  /** Bytes of RECV answers that clients have not yet taken. */
  public CapacityLimit answers() {
    return answers;
  }

  /** The number of open calls. */
  public long open() {
    return calls.count();
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>(counts.metrics());
    metrics.addAll(calls.metrics());
    metrics.addAll(bytes.metrics());
    metrics.addAll(answers.metrics());
    return metrics;
  }

  @Override
  public List<Distribution> distributions() {
    return times.distributions();
  }
}
