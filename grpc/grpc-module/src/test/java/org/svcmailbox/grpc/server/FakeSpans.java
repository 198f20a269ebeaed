package org.svcmailbox.grpc.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.grpc.trace.CallSpans;

/** Spans that are only noted, once a test has turned them on. */
final class FakeSpans implements CallSpans {
  static final TraceContext HERE =
      new TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01", null);

  volatile boolean isOn;
  final List<FakeSpan> all = new CopyOnWriteArrayList<>();

  /** The span of one call. */
  static final class FakeSpan implements CallSpan {
    final String method;
    final @Nullable TraceContext sender;
    final List<TraceContext> links = new CopyOnWriteArrayList<>();

    /** Messages of each round, and how many of them have a sender's span. */
    final List<List<Integer>> rounds = new CopyOnWriteArrayList<>();

    /** Status code and whether it is a failure, once. */
    final List<String> ends = new CopyOnWriteArrayList<>();

    FakeSpan(String method, @Nullable TraceContext sender) {
      this.method = method;
      this.sender = sender;
    }

    @Override
    public TraceContext context() {
      return HERE;
    }

    @Override
    public void link(TraceContext message) {
      links.add(message);
    }

    @Override
    public void round(int messages, List<TraceContext> senders) {
      rounds.add(List.of(messages, senders.size()));
    }

    @Override
    public void end(String attribute, long code, boolean isFailure) {
      ends.add(attribute + " " + code + (isFailure ? " failed" : ""));
    }
  }

  @Override
  public CallSpan begin(String method, @Nullable TraceContext sender) {
    if (!isOn) {
      return CallSpan.NONE;
    }
    FakeSpan span = new FakeSpan(method, sender);
    all.add(span);
    return span;
  }
}
