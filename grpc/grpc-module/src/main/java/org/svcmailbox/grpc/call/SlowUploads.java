package org.svcmailbox.grpc.call;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.svcmailbox.grpc.bound.OpenCall;

/**
 * Ends unary calls whose requests arrive too slowly. A request may take the time to wait for a
 * body, and one second for every 64 KiB. Any thread.
 */
public final class SlowUploads {
  private static final long LEAST_BYTES_PER_SECOND = 64 << 10;

  private final Duration patience;
  private final LongSupplier nanos;
  private final Map<GatedCall<?, ?>, Upload> uploads = new ConcurrentHashMap<>();

  private record Upload(CallInfo info, OpenCall open, long begun) {}

  /**
   * @param nanos a monotonic clock
   */
  public SlowUploads(Duration patience, LongSupplier nanos) {
    this.patience = patience;
    this.nanos = nanos;
  }

  void begun(GatedCall<?, ?> call, CallInfo info, OpenCall open) {
    if (call.getMethodDescriptor().getType() == MethodType.UNARY) {
      uploads.put(call, new Upload(info, open, nanos.getAsLong()));
    }
  }

  void ended(GatedCall<?, ?> call) {
    uploads.remove(call);
  }

  /** Ends the calls that are too slow by now. */
  public void sweep() {
    long now = nanos.getAsLong();
    uploads.forEach(
        (call, upload) -> {
          if (now - upload.begun() > allowed(upload.open().arrived()).toNanos()) {
            uploads.remove(call);
            call.close(
                Status.DEADLINE_EXCEEDED.withDescription("The request arrives too slowly"),
                new Metadata());
          }
        });
  }

  /** How long a request may take of which this many bytes have arrived. */
  Duration allowed(long arrived) {
    return patience.plusMillis(arrived * 1_000 / LEAST_BYTES_PER_SECOND);
  }
}
