package org.svcmailbox.grpc.stream;

import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.trace.CallSpan;

/** The messages of one turn of a stream, which get a span of their own. Any thread. */
final class Round {
  private final CallSpan span;
  private List<TraceContext> senders = new ArrayList<>();
  private int messages;

  /**
   * @param span the span of the stream's call
   */
  Round(CallSpan span) {
    this.span = span;
  }

  synchronized void add(LeasedMessage leased) {
    if (span == CallSpan.NONE) {
      return;
    }
    messages++;
    TraceContext sender = leased.message().trace();
    if (sender != null) {
      senders.add(sender);
    }
  }

  /** Ends the round; a round without messages has no span. */
  void end() {
    int count;
    List<TraceContext> taken;
    synchronized (this) {
      count = messages;
      taken = senders;
      messages = 0;
      senders = new ArrayList<>();
    }
    if (count > 0) {
      span.round(count, taken);
    }
  }
}
