package org.svcmailbox.web.servlet;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.SaturatedException;

/** The bytes of RECV answers and of streams that clients have not yet taken. Any thread. */
@Singleton
public final class LeasedBytes implements MetricSource {
  static final String BOUND = "recv_bytes";

  private static final long MOST = 256L << 20;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final long most;
  private final AtomicLong held = new AtomicLong();

  public LeasedBytes() {
    this(MOST);
  }

  public LeasedBytes(long most) {
    this.most = most;
  }

  /** Throws {@link SaturatedException} when there is no room for an answer. */
  void take(long bytes) {
    if (held.addAndGet(bytes) > most) {
      release(bytes);
      throw new SaturatedException(BOUND, "too many clients read slowly", RETRY_AFTER);
    }
  }

  /** Whether there is room for another message of a stream. */
  public boolean hasRoom() {
    return held.get() < most;
  }

  /** Counts a message that a stream got; this one may exceed the bound. */
  public void hold(long bytes) {
    held.addAndGet(bytes);
  }

  public void release(long bytes) {
    held.addAndGet(-bytes);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Family.BOUND_USED.of(held::get, BOUND), Family.BOUND_CAPACITY.of(() -> most, BOUND));
  }
}
